"""Calls a second through our whole model access, beside stock DSPy and the bare clients below both.

``python -m benchmarks.throughput``; what it compares and how to read it: docs/throughput.md.
"""

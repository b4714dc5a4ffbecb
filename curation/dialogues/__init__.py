"""Dialogues of a run: written, checked, played against solvers, repeated, and given their controls.

The parts are imported from their files, so that reading a registry does not load the programs that write.
"""

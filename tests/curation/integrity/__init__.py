"""Integrity of run directories."""

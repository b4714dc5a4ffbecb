"""Merging runs."""

"""The check for figures and units, which linting uses too, is in ``salitrap.text.units``."""

from salitrap.text.units import differ_only_in_numbers_or_units

__all__ = ["differ_only_in_numbers_or_units"]

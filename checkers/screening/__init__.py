"""Screening for personal data and unsafe content, by rules: no model, no network.

``screen_text`` is the whole interface; the form that asks a model is ``checkers.screen``.
"""

from checkers.screening.masking import masked_text
from checkers.screening.records import ScreenFinding, Severity
from checkers.screening.rules import screen_text

__all__ = ["ScreenFinding", "Severity", "masked_text", "screen_text"]

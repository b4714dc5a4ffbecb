"""Text: numerals, normal forms, similarity, script and wording. Nothing here calls a model."""

from salitrap.text.listed_numbers import (
    as_written,
    find_listed,
    locate_numbers,
    missing_numbers,
    numeral_values,
)
from salitrap.text.natural import natural_key
from salitrap.text.normalise import NUMERAL_MASK, normalise_name, phi, strip_invisible
from salitrap.text.numerals import Numeral, find_numerals, mask_numerals, numeral_counts
from salitrap.text.script import Script, han_share, in_language, script_of
from salitrap.text.shared_run import shared_run
from salitrap.text.similarity import features, jaccard
from salitrap.text.word_lists import WordKind, find_words, phrases

__all__ = [
    "NUMERAL_MASK",
    "Numeral",
    "Script",
    "WordKind",
    "as_written",
    "features",
    "find_listed",
    "find_numerals",
    "find_words",
    "han_share",
    "in_language",
    "jaccard",
    "locate_numbers",
    "mask_numerals",
    "missing_numbers",
    "natural_key",
    "normalise_name",
    "numeral_counts",
    "numeral_values",
    "phi",
    "phrases",
    "script_of",
    "shared_run",
    "strip_invisible",
]

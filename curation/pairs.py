"""Pairs that no threshold can decide: kept, and listed for a person to read."""

from __future__ import annotations

from enum import StrEnum

from salitrap.records import Fault, Language
from salitrap.records.base import Record


class ReviewKind(StrEnum):
    """Why a pair is listed."""

    NEAR = "near"
    NUMBERS_OR_UNITS_ONLY = "numbers_or_units_only"
    OTHER_CORE = "other_core"
    NEAR_TRIPLE = "near_triple"


class Review(Record):
    """An accepted seed that resembles one accepted earlier.

    ``score`` is the similarity the filter measured, in [0, 1]; for near triples that of the least similar
    part.
    """

    subject_id: str
    twin_id: str
    filter: Fault
    kind: ReviewKind
    score: float
    dimension_tag: str
    language: Language
    reason: str

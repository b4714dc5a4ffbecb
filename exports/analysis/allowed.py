"""What each field of a label row may hold, in words, and what a wrong word was probably meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from salitrap.dialogues.states import Control, Move, Pattern, Replay
from salitrap.records import CONTROL, Label, LabelRow, LabelStatus, Language
from salitrap.records.label_row import MOST

_NAME = "a text without control characters or white space around it"
_COUNT = f"a whole number from 0 to {MOST}"
_FROM_ONE = f"a whole number from 1 to {MOST}, or null"
_TEXT = "a text"
_LABELS = ", ".join(Label)

ALLOWED: dict[str, str] = {
    "model": f"{_NAME}, not empty",
    "item_id": f"{_NAME}, not empty",
    "seed_id": f"{_NAME}, not empty",
    "dimension_tag": f"{_NAME}, not empty",
    "status": f"exactly one of {', '.join(LabelStatus)}",
    "label": f"exactly one of {_LABELS} when status is ok, otherwise null",
    "label_full": f"exactly one of {_LABELS}, or null; null unless status is ok",
    "late_notice": "true or false",
    "arm": f"{_NAME}, not empty",
    "repeat": _COUNT,
    "turn": _COUNT,
    "language": f"exactly one of {', '.join(Language)}, or null",
    "number_count": f"{_COUNT}, or null",
    "dataset": _TEXT,
    "dataset_revision": _NAME,
    "judge": _NAME,
    "judge_prompt": _TEXT,
    "quote": _TEXT,
    "quote_position": "a number from 0 to 1, or null",
    "reason": _TEXT,
    "answer": _TEXT,
    "reasoning": _TEXT,
    "detail": _TEXT,
    "returned_model": _TEXT,
    "answer_call": _TEXT,
    "judge_call": _TEXT,
    "temperature": "a number from 0, or null",
    "default_temperature": "true or false",
    "max_tokens": "a whole number from 1, or null",
    "endpoint_id": _NAME,
    "simulated": "true or false",
    "second_label": f"exactly one of {_LABELS}, or null",
    "votes": "a list of what each judge of a panel said",
    "agreement": "a number from 0 to 1, or null",
    "pattern": f"exactly one of {', '.join(Pattern)}, or null",
    "control": f"exactly one of {', '.join(Control)}",
    "replay": f"exactly one of {', '.join(Replay)}, or null",
    "twin_of": _NAME,
    "source_id": _NAME,
    "t_star": _FROM_ONE,
    "turns": _FROM_ONE,
    "feasible": "true, false or null",
    "move": f"exactly one of {', '.join(Move)}, or null",
    "escalates": "true or false",
    "presses": "true or false",
}

_WORDS: dict[str, tuple[tuple[str, ...], float]] = {
    "label": (tuple(Label), 0.75),
    "label_full": (tuple(Label), 0.75),
    "status": (tuple(LabelStatus), 0.75),
    "language": (tuple(Language), 0.75),
    "arm": ((CONTROL,), 1.0),
    "pattern": (tuple(Pattern), 0.75),
    "control": (tuple(Control), 0.75),
    "replay": (tuple(Replay), 0.75),
    "move": (tuple(Move), 0.75),
}
"""Words of a field, and how alike a wrong one must be to be taken for one of them."""


def meant_word(field: str, value: object) -> str | None:
    """Return the allowed word that ``value`` comes close to; None when there is none, or it is that word."""
    words, alike = _WORDS.get(field, ((), 1.0))
    near = _nearest(value, words, alike) if isinstance(value, str) else None
    return None if near == value else near


def meant_field(name: str) -> str | None:
    """Return the field that an unknown key of a row was probably meant to be."""
    return _nearest(name, LabelRow.model_fields, 0.85)


def folded(word: str) -> str:
    """Return ``word`` without case, white space and marks."""
    return "".join(char for char in word.casefold() if char.isalnum())


def _nearest(word: str, words: Iterable[str], alike: float) -> str | None:
    known = {folded(one): one for one in words}
    close = difflib.get_close_matches(folded(word)[:80], known, n=1, cutoff=alike)
    return known[close[0]] if close else None

"""Pydantic's faults as one sentence: what was received, what is allowed, what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from salitrap.settings.examples import example_at, record_at
from salitrap.settings.near import did_you_mean
from salitrap.yaml_hints import full_width_digit_hint, full_width_hint
from salitrap.yaml_source import KeyPath

LONGEST_SHOWN = 60
PLAIN_NAME = 'give a plain folder name, without / \\ < > : " | ? * and not starting with a dot'
WORDS = {
    ", unable to parse string as an integer": " (a whole number)",
    ", unable to parse string as a number": "",
    "be a valid boolean, unable to interpret input": "be true or false",
}
QUOTED = re.compile(r"'([^']*)'")


def fault_of(error: ErrorDetails, model: type[BaseModel]) -> tuple[KeyPath, str]:
    """Return the key path and the sentence for one fault found while reading ``model``.

    The value of an unknown field is never shown: it could be a key that was pasted in.
    """
    place = tuple(part for part in error["loc"] if part != "[key]")
    match error["type"]:
        case "missing":
            return place, "is missing; add it"
        case "extra_forbidden":
            name = str(place[-1])
            return place, f"no such setting; {did_you_mean(name, fields_at(model, place[:-1]))}{_hint(name)}"
        case "enum" | "literal_error":
            return place, _not_a_choice(error)
        case "string_pattern_mismatch":
            return place, f"got {shown(error['input'])}; {PLAIN_NAME}"
        case "tuple_type":
            return place, f"got {shown(error['input'])}; write a list: {_listed(error['input'])}"
        case "dict_type" | "model_type":
            wanted = f"expected a mapping such as {example_at(model, place)}"
            return place, f"got {shown(error['input'])}; {wanted}{_hints(error, place)}"
        case "too_short":
            return place, f"got {shown(error['input'])}; give at least {error['ctx']['min_length']}"
    return place, f"got {shown(error['input'])}; {_allowed(error['msg'])}{_hints(error, place)}"


def shown(value: Any) -> str:
    """Return a value as a message shows it: quoted, escaped and short; of a collection only what it is.

    Collections are not printed, since a key could have been pasted into one.
    """
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else f"a list of {len(value)}"
    text = repr(value) if value is not None else "nothing"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def fields_at(model: type[BaseModel], place: Sequence[str | int]) -> list[str]:
    """Return the fields of the record at a key path, none when there is no record."""
    found = record_at(model, place)
    return list(found.model_fields) if found is not None else []


def _not_a_choice(error: ErrorDetails) -> str:
    given, allowed = error["input"], QUOTED.findall(str(error.get("ctx", {}).get("expected", "")))
    listed = f"allowed are {', '.join(allowed)}"
    if not isinstance(given, str):
        return f"got {shown(given)}; {listed}"
    hint = did_you_mean(given, allowed)
    near = f"; {hint}" if hint.startswith("did you mean") else ""
    return f"got {shown(given)}; {listed}{near}{_hint(given)}"


def _allowed(message: str) -> str:
    """Pydantic's sentence in our form: ``Input should be a valid integer`` becomes ``it should be ...``."""
    told = re.sub(r"^(Input|\w+) should ", "it should ", message)
    for theirs, ours in WORDS.items():
        told = told.replace(theirs, ours)
    return told


def _listed(value: Any) -> str:
    """How the only value that was given is written as a list."""
    short = isinstance(value, str) and len(value) <= LONGEST_SHOWN
    return f"[{value}{', ...' if value.isdigit() else ''}]" if short else "[..., ...]"


def _hints(error: ErrorDetails, place: KeyPath) -> str:
    """About the value, or else about its key."""
    return _hint(error["input"]) or _hint(str(place[-1]) if place else "")


def _hint(value: Any) -> str:
    text = value if isinstance(value, str) else ""
    hint = full_width_hint(text) or full_width_digit_hint(text)
    return f"; {hint}" if hint else ""

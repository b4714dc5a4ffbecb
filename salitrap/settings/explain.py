"""Pydantic's faults as one sentence: what was received, what is allowed, what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from salitrap.settings.near import did_you_mean
from salitrap.yaml_hints import full_width_digit_hint, full_width_hint
from salitrap.yaml_source import KeyPath

LONGEST_SHOWN = 60
PLAIN_NAME = 'give a plain folder name, without / \\ < > : " | ? * and not starting with a dot'
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
    hint = _hint(error["input"]) or _hint(str(place[-1]) if place else "")
    return place, f"got {shown(error['input'])}; {_allowed(error['msg'])}{hint}"


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
    kind: Any = model
    for step in place:
        kind = _inside(kind, step)
    found = _record_in(kind)
    return list(found.model_fields) if found is not None else []


def _inside(kind: Any, step: str | int) -> Any:
    record = _record_in(kind)
    if record is not None:
        field = record.model_fields.get(str(step))
        return field.annotation if field is not None else None
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is not None and issubclass(origin, Mapping):
        return arguments[1]
    return arguments[0] if arguments else None


def _record_in(kind: Any) -> type[BaseModel] | None:
    if isinstance(kind, type) and not get_args(kind) and issubclass(kind, BaseModel):
        return kind
    inner = get_args(kind) if get_origin(kind) in (Union, UnionType) else ()
    return next((found for one in inner if (found := _record_in(one)) is not None), None)


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
    return re.sub(r"^(Input|\w+) should ", "it should ", message).replace(
        ", unable to parse string as an integer", " (a whole number)"
    )


def _listed(value: Any) -> str:
    """How the only value that was given is written as a list."""
    short = isinstance(value, str) and len(value) <= LONGEST_SHOWN
    return f"[{value}{', ...' if value.isdigit() else ''}]" if short else "[..., ...]"


def _hint(value: Any) -> str:
    text = value if isinstance(value, str) else ""
    hint = full_width_hint(text) or full_width_digit_hint(text)
    return f"; {hint}" if hint else ""

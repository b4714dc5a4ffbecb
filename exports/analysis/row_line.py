"""One line of a file to one label row; whatever is wrong names the field, the value and what is allowed."""

from __future__ import annotations

import json
import math
from typing import Any

from pydantic import ValidationError

from exports.analysis.allowed import ALLOWED, meant_field, meant_word
from salitrap.records import LabelRow

_SHOWN = 60
_DIGITS = 300


class LineFault(Exception):
    """A line is not a label row. The message is complete but for the place."""


def parse_line(text: str) -> tuple[LabelRow, tuple[str, ...]]:
    """Return the row of one line of JSON, and the keys that are not fields of a row.

    Types are taken strictly: ``"1"`` is no number, ``1`` is not true. Null counts as absent.

    Raises:
        LineFault: anything else than one JSON object with valid fields.
    """
    given = _json_object(text)
    known = {name: given[name] for name in LabelRow.model_fields if given.get(name) is not None}
    for name, value in known.items():
        _refuse_what_json_cannot_carry(name, value)
    try:
        row = LabelRow.model_validate_json(json.dumps(known), strict=True)
    except ValidationError as error:
        raise LineFault(_described(error, given)) from error
    _refuse_near_control(row)
    return row, tuple(name for name in given if name not in LabelRow.model_fields)


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_object_of_pairs, parse_int=_whole_number)
    except json.JSONDecodeError as error:
        raise LineFault(
            f"not JSON ({error.msg} at column {error.colno}); write one JSON object a line"
        ) from error
    except RecursionError as error:
        raise LineFault("nested too deeply; the fields of a row hold plain values") from error
    if not isinstance(value, dict):
        raise LineFault(f"received {shown(value)}; write one JSON object a line")
    return value


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else math.inf


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built: dict[str, Any] = {}
    for name, value in pairs:
        if name in built:
            raise LineFault(f"{_key(name)}: stands twice in one object; keep one")
        if isinstance(value, float) and not math.isfinite(value):
            received = "not a number" if math.isnan(value) else "a number too large"
            allowed = ALLOWED.get(name, "a finite number")
            raise LineFault(f"{_key(name)}: received {received}; allowed: {allowed}")
        built[name] = value
    return built


def _refuse_what_json_cannot_carry(name: str, value: object) -> None:
    """Lists and objects of any depth, and halves of characters; ``votes`` alone may be a list."""
    if isinstance(value, list) and name == "votes":
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, dict)):
        raise LineFault(f"{name}: received {shown(value)}; allowed: {ALLOWED[name]}")
    try:
        str(value).encode("utf-8")
    except UnicodeEncodeError as error:
        half = shown(str(value)[error.start])
        raise LineFault(
            f"{name}: received half a surrogate pair, {half}; allowed: {ALLOWED[name]}"
        ) from error


def _refuse_near_control(row: LabelRow) -> None:
    """Another spelling of ``control`` would found an arm of its own, and leave the control arm empty."""
    meant = meant_word("arm", row.arm)
    if meant:
        raise LineFault(f'arm: received {shown(row.arm)}; allowed: {ALLOWED["arm"]}; did you mean "{meant}"?')


def _described(error: ValidationError, given: dict[str, Any]) -> str:
    faults = error.errors(include_url=False)
    first = faults[0]
    name = str(first["loc"][0]) if first["loc"] else _mismatched(given)
    received = shown(given[name]) if name in given else "nothing"
    because = f" ({first['msg'].removeprefix('Value error, ')})" if first["type"] == "value_error" else ""
    more = f" (and {len(faults) - 1} more fields)" if len(faults) > 1 else ""
    return f"{name}: received {received}{because}; allowed: {ALLOWED[name]}{_hint(name, given)}{more}"


def _mismatched(given: dict[str, Any]) -> str:
    """Return the field at fault when the status and the labels contradict each other."""
    return "label" if given["status"] == "ok" or given.get("label") is not None else "label_full"


def _hint(name: str, given: dict[str, Any]) -> str:
    if given.get(name) is None:
        keys = [key for key in given if key not in LabelRow.model_fields and meant_field(key) == name]
        return f"; {shown(keys[0])} is not a field, did you mean {name}?" if keys else ""
    word = meant_word(name, given[name])
    return f'; did you mean "{word}"?' if word else ""


def _key(name: str) -> str:
    return name if name in LabelRow.model_fields else shown(name)


def shown(value: object) -> str:
    """Return a value of a file for a message: one line, cut short, nothing a terminal would act on."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."

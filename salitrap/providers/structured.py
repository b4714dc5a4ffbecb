"""From a reply's text to typed fields, strictly: complete, or a ``ParseError`` that says why not."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from salitrap.providers.coerce import coerce
from salitrap.providers.json_search import CutOff, find_values, looks_structured, repaired_values
from salitrap.providers.parse_error import ParseError
from salitrap.providers.reasoning import split_thought

_MARKER = re.compile(r"^[ \t]*\[\[ ## (\w+) ## \]\][ \t]*", re.MULTILINE)
_DEEPEST_WRAPPING = 3


def parse_fields(
    text: str,
    fields: Mapping[str, Any],
    *,
    optional: Mapping[str, Any] | None = None,
    may_be_empty: Collection[str] = (),
) -> dict[str, Any]:
    """Read the fields of a structured reply.

    Args:
        text: the reply, with or without a think block.
        fields: type annotation of each field.
        optional: defaults of fields that may be missing.
        may_be_empty: text and list fields for which an empty value is an answer.

    Returns:
        The values by name, in the order of ``fields``.

    Raises:
        ParseError: nothing else, whatever the text.
    """
    body = _without_thought(text)
    defaults = optional or {}
    required = [name for name in fields if name not in defaults]
    candidates = _candidates(body, text, required)
    problems: list[str] = []
    for candidate in reversed(candidates):
        found = _unwrapped(candidate, fields, required)
        try:
            return _typed(found, fields, defaults, may_be_empty)
        except ValueError as error:
            problems.append(str(error))
    raise ParseError(problems[0] if problems else "no JSON object was found", text)


def _without_thought(text: str) -> str:
    thought = split_thought(text)
    if thought.unfinished:
        raise ParseError("the reply ends inside its think block (token limit?)", text)
    if not thought.text.strip():
        raise ParseError("there is no answer", text)
    return thought.text


def _candidates(body: str, text: str, required: Sequence[str]) -> list[Any]:
    """What may hold the fields, the likeliest last: a later object corrects an earlier one."""
    try:
        values = find_values(body)
    except CutOff as cut:
        raise ParseError(cut.problem, text) from None
    marked = _marked_fields(body)
    if marked and all(name in marked for name in required):
        return [marked, *values]
    values = [value for value in values if value] or repaired_values(body)
    if not values and not marked and not looks_structured(body):
        raise ParseError("prose instead of the JSON object that was asked for", text, declined=True)
    return values


def _marked_fields(body: str) -> dict[str, Any]:
    """Sections that start with ``[[ ## name ## ]]`` at the start of a line."""
    marks = list(_MARKER.finditer(body))
    ends = [*(mark.start() for mark in marks[1:]), len(body)]
    return {mark.group(1): body[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=False)}


def _unwrapped(value: Any, fields: Mapping[str, Any], required: Sequence[str]) -> Any:
    """Take the fields out of an invented wrapper, a one-element list or JSON inside JSON."""
    for _ in range(_DEEPEST_WRAPPING):
        if isinstance(value, dict) and all(name in value for name in required):
            return value
        inner = _inner(value, required)
        if inner is None:
            break
        value = inner
    if isinstance(value, list) and len(fields) == 1:
        return {next(iter(fields)): value}
    return value


def _inner(value: Any, required: Sequence[str]) -> Any:
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    decoded = [_decoded(item) for item in inside]
    whole = [item for item in decoded if isinstance(item, dict) and all(name in item for name in required)]
    if len(whole) == 1 and (isinstance(value, dict) or len(decoded) == 1):
        return whole[0]
    return decoded[0] if len(decoded) == 1 and isinstance(decoded[0], dict) else None


def _decoded(item: Any) -> Any:
    if not isinstance(item, str) or not item.lstrip().startswith(("{", "[")):
        return item
    try:
        return json.loads(item)
    except (ValueError, RecursionError):
        return item


def _typed(
    found: Any, fields: Mapping[str, Any], defaults: Mapping[str, Any], may_be_empty: Collection[str]
) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ValueError("the JSON is not an object with the fields that were asked for")
    missing = [name for name in fields if name not in defaults and found.get(name) is None]
    if missing:
        raise ValueError(f"missing or null: {', '.join(missing)}")
    values = {
        name: _value(name, found[name], wanted) if found.get(name) is not None else defaults[name]
        for name, wanted in fields.items()
    }
    empty = [
        name for name in fields if name not in defaults and name not in may_be_empty and _empty(values[name])
    ]
    if empty:
        raise ValueError(f"empty: {', '.join(empty)}")
    return values


def _value(name: str, value: Any, wanted: Any) -> Any:
    try:
        return coerce(value, wanted)
    except ValueError as error:
        again = _decoded(value)
        if again is value:
            raise ValueError(f"field {name}: {error}") from None
    try:
        return coerce(again, wanted)
    except ValueError as error:
        raise ValueError(f"field {name}: {error}") from None


def _empty(value: Any) -> bool:
    return (isinstance(value, str) and not value.strip()) or (
        isinstance(value, (list, tuple, dict)) and not value
    )

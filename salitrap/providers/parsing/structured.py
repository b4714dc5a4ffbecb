"""From a reply's text to typed fields, strictly: complete, or a ``ParseError`` that says why not."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from salitrap.providers.parsing.coerce import coerce
from salitrap.providers.parsing.field_names import names_all, renamed
from salitrap.providers.parsing.json_search import CutOff, find_values, holds_empty_object, looks_structured
from salitrap.providers.parsing.json_span import plain_structure
from salitrap.providers.parsing.labelled import has_lines, lined_fields, marked_fields, tagged_fields
from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.wire.reasoning import split_thought

_DEEPEST_WRAPPING = 3


def parse_fields(
    text: str,
    fields: Mapping[str, Any],
    *,
    optional: Mapping[str, Any] | None = None,
    may_be_empty: Collection[str] = (),
) -> dict[str, Any]:
    """Read the fields of a structured reply.

    The last object that names all required fields is the answer, for better or worse: an earlier
    one is a draft, and no part of a broken one counts.

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
    body = _unescaped(_without_thought(text))
    defaults = optional or {}
    required = [name for name in fields if name not in defaults]
    found = _found(body, text, fields, required)
    try:
        return _typed(found, fields, defaults, may_be_empty)
    except ValueError as error:
        raise ParseError(str(error), text) from None


def _without_thought(text: str) -> str:
    thought = split_thought(text)
    if thought.unfinished:
        raise ParseError("the reply ends inside its think block (token limit?)", text, truncated=True)
    if not thought.text.strip():
        raise ParseError("there is no answer", text)
    return thought.text


def _unescaped(body: str) -> str:
    r"""A reply that is one JSON string, or the inside of one (``{\"a\": 1}``), as the text it stands for."""
    plain = body.strip()
    quoted = plain if plain.startswith('"') else f'"{plain}"' if plain.startswith('{\\"') else ""
    inner = _decoded_json(quoted)
    return inner if isinstance(inner, str) else body


def _found(body: str, text: str, fields: Mapping[str, Any], required: Sequence[str]) -> Any:
    """What holds the fields.

    Raises:
        ParseError: the text ends too early, or it is prose.
    """
    marked = renamed(marked_fields(body), fields)
    if names_all(marked, required):
        return marked
    values = _values(body, text, fields, required)
    whole = [value for value in values if names_all(value, required)]
    if whole:
        return whole[-1]
    for labelled in (tagged_fields(body, fields), lined_fields(body, fields)):
        if names_all(labelled, required):
            return labelled
    if values or holds_empty_object(body):
        return values[-1] if values else {}
    if marked or has_lines(body, fields) or looks_structured(body):
        raise ParseError("no JSON object was found", text)
    raise ParseError("prose instead of the JSON object that was asked for", text, declined=True)


def _values(body: str, text: str, fields: Mapping[str, Any], required: Sequence[str]) -> list[Any]:
    """Every object or list, wrappers taken off: as JSON if that serves, else read tolerantly."""
    plain = plain_structure(body)
    ways = [(body, False), (plain, False), (plain, True)] if plain != body else [(body, False), (body, True)]
    values: list[Any] = []
    for number, (source, repair) in enumerate(ways):
        try:
            found = [value for value in find_values(source, repair=repair) if value]
        except CutOff as cut:
            if number < len(ways) - 1 and plain != body:
                continue
            raise ParseError(cut.problem, text, truncated=True) from None
        values = [_unwrapped(value, fields, required) for value in found] or values
        values = _gathered(values, fields, required)
        if any(names_all(value, required) for value in values):
            break
    return values


def _gathered(values: list[Any], fields: Mapping[str, Any], required: Sequence[str]) -> list[Any]:
    """Entries of the one list that was asked for, written one after the other without the list."""
    model = _listed_model(next(iter(fields.values()))) if len(fields) == 1 else None
    if model is None or any(names_all(value, required) for value in values):
        return values
    entries = [value for value in values if isinstance(value, dict) and _is_entry(value, model)]
    return [{next(iter(fields)): entries}] if entries and len(entries) == len(values) else values


def _unwrapped(value: Any, fields: Mapping[str, Any], required: Sequence[str]) -> Any:
    """Take the fields out of an invented wrapper, a one-element list or JSON inside JSON."""
    for _ in range(_DEEPEST_WRAPPING):
        value = renamed(value, fields) if isinstance(value, dict) else value
        if names_all(value, required) or _is_bare_list(value, fields):
            break
        inner = _inner(value, fields, required)
        if inner is None:
            break
        value = inner
    return {next(iter(fields)): value} if isinstance(value, list) and len(fields) == 1 else value


def _is_bare_list(value: Any, fields: Mapping[str, Any]) -> bool:
    """True for the entries of the only field, which is a list of objects, without their name."""
    model = _listed_model(next(iter(fields.values()))) if len(fields) == 1 else None
    if model is None or not isinstance(value, list):
        return False
    return all(isinstance(entry, dict) and _is_entry(entry, model) for entry in value)


def _inner(value: Any, fields: Mapping[str, Any], required: Sequence[str]) -> Any:
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    decoded = [_decoded(item) for item in inside]
    objects = [renamed(item, fields) for item in decoded if isinstance(item, dict)]
    whole = [item for item in objects if names_all(item, required)]
    if len(whole) == 1 and (isinstance(value, dict) or len(decoded) == 1):
        return whole[0]
    return objects[0] if len(decoded) == 1 and objects else None


def _listed_model(wanted: Any) -> type[BaseModel] | None:
    """The model of which ``wanted`` is a list, if it is one."""
    entry = get_args(wanted)[0] if get_origin(wanted) is list else None
    return entry if isinstance(entry, type) and issubclass(entry, BaseModel) else None


def _is_entry(value: Mapping[str, Any], model: type[BaseModel]) -> bool:
    """True when at least half of the model's fields are named."""
    names = model.model_fields
    return 2 * len(set(renamed(value, names)) & set(names)) >= len(names)


def _decoded(item: Any) -> Any:
    if not isinstance(item, str) or not item.lstrip().startswith(("{", "[")):
        return item
    inner = _decoded_json(item)
    return item if inner is None else inner


def _decoded_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


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

"""Take the fields that were asked for out of whatever a model wrapped them in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from salitrap.providers.parsing.field_names import names_all, renamed

_DEEPEST_WRAPPING = 3


def gathered(values: list[Any], fields: Mapping[str, Any], required: Sequence[str]) -> list[Any]:
    """Entries of the one list that was asked for, written one after the other without the list."""
    model = _listed_model(next(iter(fields.values()))) if len(fields) == 1 else None
    if model is None or any(names_all(value, required) for value in values):
        return values
    entries = [value for value in values if isinstance(value, dict) and _is_entry(value, model)]
    return [{next(iter(fields)): entries}] if entries and len(entries) == len(values) else values


def unwrapped(value: Any, fields: Mapping[str, Any], required: Sequence[str]) -> Any:
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
    items = [decoded(item) for item in inside]
    objects = [renamed(item, fields) for item in items if isinstance(item, dict)]
    whole = [item for item in objects if names_all(item, required)]
    if len(whole) == 1 and (isinstance(value, dict) or len(items) == 1):
        return None if _contradicts(value, whole[0]) else whole[0]
    return objects[0] if len(items) == 1 and objects else None


def _contradicts(outer: Any, inner: Mapping[str, Any]) -> bool:
    """True when the wrapper itself says something else of a field than what it wraps."""
    if not isinstance(outer, dict):
        return False
    return any(
        outer[name] != said and not isinstance(decoded(outer[name]), dict)
        for name, said in inner.items()
        if name in outer
    )


def _listed_model(wanted: Any) -> type[BaseModel] | None:
    """The model of which ``wanted`` is a list, if it is one."""
    entry = get_args(wanted)[0] if get_origin(wanted) is list else None
    return entry if isinstance(entry, type) and issubclass(entry, BaseModel) else None


def _is_entry(value: Mapping[str, Any], model: type[BaseModel]) -> bool:
    """True when at least half of the model's fields are named."""
    names = model.model_fields
    return 2 * len(set(renamed(value, names)) & set(names)) >= len(names)


def decoded(item: Any) -> Any:
    """A text that is JSON of an object or a list as what it stands for, anything else as it is."""
    if not isinstance(item, str) or not item.lstrip().startswith(("{", "[")):
        return item
    inner = decoded_json(item)
    return item if inner is None else inner


def decoded_json(text: str) -> Any:
    """What ``text`` is as JSON, None when it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None

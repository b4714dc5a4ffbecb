"""How a part of the settings is written, and which record stands at a place of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

ENDPOINT = "{spec: openai/NAME}"
EXAMPLES = {
    "budget": "{calls: 1000}",
    "roles": f"{{judge: {{endpoints: [{ENDPOINT}]}}}}",
    "roles.*": f"{{endpoints: [{ENDPOINT}]}}",
    "roles.*.endpoints.*": ENDPOINT,
    "targets": "{default: {en: 8}}",
    "targets.*": "{en: 8}",
    "lab.faults": "{http_429: 0.1}",
    "scale.prompt_chars": "{en: [140, 900]}",
}
"""Mappings by their place, ``*`` for any name below ``roles`` or ``targets`` and any number."""


def example_at(model: type[BaseModel], place: Sequence[str | int]) -> str:
    """A mapping as it could stand at ``place``: one from the table, or a setting with its default."""
    if (given := EXAMPLES.get(_pattern(place))) is not None:
        return given
    record = record_at(model, place)
    fields = {} if record is None else record.model_fields
    plain = (f"{name}: {field.default}" for name, field in fields.items() if _is_plain(field.default))
    return f"{{{next(plain, 'NAME: VALUE')}}}"


def record_at(model: type[BaseModel], place: Sequence[str | int]) -> type[BaseModel] | None:
    """The record at a key path of ``model``, None when there is none."""
    kind: Any = model
    for step in place:
        kind = _inside(kind, step)
    return _record_in(kind)


def _pattern(place: Sequence[str | int]) -> str:
    named = [
        "*" if isinstance(step, int) or (at == 1 and place[0] in ("roles", "targets")) else str(step)
        for at, step in enumerate(place)
    ]
    return ".".join(named)


def _is_plain(default: Any) -> bool:
    return isinstance(default, int | float | str) and not isinstance(default, bool)


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

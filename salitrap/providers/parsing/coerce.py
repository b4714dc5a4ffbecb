"""Bring a decoded value to a field's type, allowing for how models write it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from salitrap.providers.parsing.field_names import renamed
from salitrap.providers.parsing.words import boolean_of, choice_of, score_of, trimmed
from salitrap.providers.request import sendable


def coerce(value: Any, wanted: Any) -> Any:
    """Return ``value`` as ``wanted`` (a type annotation), half characters in its texts replaced.

    Raises:
        ValueError: it is none; the message names where.
    """
    try:
        return _finite(_validator(wanted).validate_python(_fit(_sendable(value), wanted)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(
            f"{where + ': ' if where else ''}{first['msg']}, got {str(first['input'])!r:.80}"
        ) from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"not a finite number, got {value}")
    return value


def _sendable(value: Any) -> Any:
    r"""An escape such as ``\ud83d`` is plain ASCII in the reply and half a character once decoded."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, list):
        return [_sendable(item) for item in value]
    if isinstance(value, dict):
        return {_sendable(key): _sendable(inner) for key, inner in value.items()}
    return value


@lru_cache(maxsize=512)
def _validator(wanted: Any) -> TypeAdapter[Any]:
    return TypeAdapter(wanted)


def _fit(value: Any, wanted: Any) -> Any:
    """Adapt spelling, not meaning; what does not fit is left for the validator to refuse."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return _fit(value, arguments[0])
    if origin in (Union, UnionType):
        return _fit_union(value, arguments)
    if origin is Literal:
        return _choice(value, {str(choice): choice for choice in arguments})
    if origin in (list, tuple, set, frozenset):
        return _fit_items(value, arguments)
    if isinstance(wanted, type):
        return _fit_type(value, wanted)
    return value


def _fit_type(value: Any, wanted: type) -> Any:
    if issubclass(wanted, BaseModel):
        return _fit_model(value, wanted)
    if issubclass(wanted, Enum):
        return _choice(value, {str(member.value): member for member in wanted})
    if wanted is bool:
        return _boolean(value)
    if wanted in (int, float):
        return _number(value)
    return _text(value) if wanted is str else value


def _fit_union(value: Any, arguments: tuple[Any, ...]) -> Any:
    real = [argument for argument in arguments if argument is not type(None)]
    return value if value is None or len(real) != 1 else _fit(value, real[0])


def _fit_items(value: Any, arguments: tuple[Any, ...]) -> Any:
    """Each entry by itself; one object where a list of objects is wanted is a list of one."""
    if not arguments:
        return value
    model = isinstance(arguments[0], type) and issubclass(arguments[0], BaseModel)
    if isinstance(value, Mapping) and model and set(arguments[0].model_fields) & set(value):
        value = [value]
    return [_fit(item, arguments[0]) for item in value] if isinstance(value, list) else value


def _fit_model(value: Any, wanted: type[BaseModel]) -> Any:
    if not isinstance(value, Mapping):
        return value
    types = {field.alias or name: field.annotation for name, field in wanted.model_fields.items()}
    named = renamed(value, types)
    return {key: _fit(inner, types[key]) if key in types else inner for key, inner in named.items()}


def _boolean(value: Any) -> Any:
    found = boolean_of(value) if isinstance(value, str) else None
    return value if found is None else found


def _choice(value: Any, choices: Mapping[str, Any]) -> Any:
    """Match a choice in spite of its dress; a truth value is never the choice 0 or 1."""
    if isinstance(value, bool):
        return value if any(choice is value for choice in choices.values()) else str(value).lower()
    if not isinstance(value, str) or value in choices:
        return choices.get(value, value) if isinstance(value, str) else value
    scores = all(isinstance(choice, int) for choice in choices.values())
    name = score_of(value, choices) if scores else choice_of(value, choices)
    return value if name is None else choices[name]


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return trimmed(value) if isinstance(value, str) else value


def _text(value: Any) -> Any:
    """A number as it is written; a list of one text is that text, an empty one no text."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and len(value) <= 1 and all(isinstance(entry, str) for entry in value):
        return value[0] if value else ""
    return value

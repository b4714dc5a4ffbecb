"""Bring a decoded value to a field's type, allowing for how models write it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from salitrap.providers.request import sendable

_WORDS = {
    **dict.fromkeys(("true", "yes", "y", "1", "是", "对", "真", "有"), True),
    **dict.fromkeys(("false", "no", "n", "0", "否", "不是", "不", "假", "无", "没有"), False),
}
_TRIM = " \t\r\n.。!！\"'“”`*"


def coerce(value: Any, wanted: Any) -> Any:
    """Return ``value`` as ``wanted`` (a type annotation), half characters in its texts replaced.

    Raises:
        ValueError: it is none; the message names where.
    """
    try:
        return _validator(wanted).validate_python(_fit(_sendable(value), wanted))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(
            f"{where + ': ' if where else ''}{first['msg']}, got {str(first['input'])!r:.80}"
        ) from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


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
        return _WORDS.get(value.strip(_TRIM).lower(), value) if isinstance(value, str) else value
    if wanted in (int, float):
        return _number(value)
    if wanted is str and isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value


def _fit_union(value: Any, arguments: tuple[Any, ...]) -> Any:
    real = [argument for argument in arguments if argument is not type(None)]
    return value if value is None or len(real) != 1 else _fit(value, real[0])


def _fit_items(value: Any, arguments: tuple[Any, ...]) -> Any:
    if not isinstance(value, list) or not arguments:
        return value
    return [_fit(item, arguments[0]) for item in value]


def _fit_model(value: Any, wanted: type[BaseModel]) -> Any:
    if not isinstance(value, Mapping):
        return value
    types = {field.alias or name: field.annotation for name, field in wanted.model_fields.items()}
    return {key: _fit(inner, types[key]) if key in types else inner for key, inner in value.items()}


def _choice(value: Any, choices: Mapping[str, Any]) -> Any:
    """Match a choice in spite of case and of stops and quotes around it."""
    if not isinstance(value, str) or value in choices:
        return choices.get(value, value) if isinstance(value, str) else value
    plain = {name.strip().casefold(): choice for name, choice in choices.items()}
    return plain.get(value.strip(_TRIM).casefold(), value)


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.strip(_TRIM) if isinstance(value, str) else value

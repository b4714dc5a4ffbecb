"""Records of a JSON file: an array, or one object a line. Numbers keep the spelling that they have there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from salitrap.errors import InputError


class CannotMap(Exception):
    """A record has no place in our schema. ``field`` is the part of it that is at fault."""

    def __init__(self, field: str, why: str) -> None:
        self.field = field
        super().__init__(f"{field}: {why}")


class Given(NamedTuple):
    """One record: its number from 1 (of a file of lines: the line), its fields, or why there are none."""

    number: int
    fields: dict[str, Any]
    raw: object
    fault: str = ""


def read_records(path: Path) -> tuple[Given, ...]:
    """Return the records of a file; blank lines are none.

    Raises:
        InputError: it cannot be read, is not UTF-8, is one object instead of many, a damaged array, or empty.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start + 1}; save it as UTF-8") from error
    found = tuple(_of_array(path, text) if text.lstrip().startswith("[") else read_text(text))
    if not found:
        raise InputError(f"{path}: holds no records")
    if not any(given.fields for given in found):
        raise InputError(
            f"{path}: no record can be read, the first: {found[0].fault}; give a JSON array of objects, or "
            "one object a line"
        )
    return found


def _of_array(path: Path, text: str) -> Iterator[Given]:
    try:
        values = _parsed(text)
    except ValueError as error:
        raise InputError(f"{path}: {error}; give a JSON array of objects, or one object a line") from error
    for number, value in enumerate(values, 1):
        yield _given(number, value, value)


def read_text(text: str) -> Iterator[Given]:
    """Yield the records of a text with one object a line; a line that is none has a fault."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield _given(number, _parsed(line), line)
        except ValueError as error:
            yield Given(number, {}, line, str(error))


def _given(number: int, value: object, raw: object) -> Given:
    if isinstance(value, dict):
        return Given(number, value, raw, "" if value else "an object without fields")
    return Given(number, {}, raw, "no JSON object")


def _parsed(text: str) -> Any:
    """Raises ``ValueError`` with a message for people, whatever is wrong."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_once,
            parse_int=Decimal,
            parse_float=Decimal,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg}, line {error.lineno}, column {error.colno})") from error
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error
    except InvalidOperation as error:
        raise ValueError("holds a number that is too large") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"field {repeated!r} stands twice in one object")
    return built


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")

"""Which fields a file has, which of them the paper names, and how single values are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from exports.importing.reading import CannotMap, Given
from salitrap.errors import InputError

SHOWN = 60
ITEM_FIELDS = (
    "item_id",
    "seed_id",
    "prompt",
    "trap_core",
    "ground_truth",
    "injected_numbers",
    "dimension_tag",
    "naturalness_score",
    "attack_tier",
)
"""Fields of a published record (paper, appendix D.1)."""


class Fields:
    """Our names for a file's fields; ``renamed`` maps ours to the file's, ``skipped`` are the file's."""

    def __init__(self, renamed: Mapping[str, str], skipped: Collection[str]) -> None:
        self._ours = {theirs: ours for ours, theirs in renamed.items()}
        self._renamed, self._skipped = renamed, frozenset(skipped)

    def checked(
        self, path: Path, records: Sequence[Given], known: Collection[str], needed: Collection[str]
    ) -> tuple[Given, ...]:
        """Return the records under our names, without the skipped fields.

        Raises:
            InputError: a field that the paper does not name, a needed one that no record has, or names
                given by the user that do not fit the file.
        """
        found = Counter(name for record in records for name in record.fields)
        self._check_given(path, found, known)
        ours = Counter({self._ours.get(name, name): count for name, count in found.items()})
        unknown = [name for name in found if self._unknown(name, known)]
        lacking = [name for name in needed if name not in ours or name in self._skipped]
        if unknown or lacking:
            raise InputError(f"{path}: {_refusal(unknown, lacking, found)}")
        return tuple(record._replace(fields=self._named(record.fields)) for record in records)

    def _unknown(self, name: str, known: Collection[str]) -> bool:
        return name not in self._skipped and self._ours.get(name, name) not in known

    def _named(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {
            self._ours.get(name, name): value for name, value in fields.items() if name not in self._skipped
        }

    def _check_given(self, path: Path, found: Collection[str], known: Collection[str]) -> None:
        for ours, theirs in self._renamed.items():
            if ours not in known:
                raise InputError(f"--field {ours}={theirs}: no field {ours!r}; ours are {', '.join(known)}")
            if theirs not in found:
                raise InputError(f"--field {ours}={theirs}: {path} has no {theirs!r}; it has {_list(found)}")
            if ours != theirs and ours in found and ours not in (*self._skipped, *self._ours):
                raise InputError(f"--field {ours}={theirs}: {path} has {ours!r} too; --skip one of them")
        missing = sorted(self._skipped - set(found))
        if missing:
            raise InputError(f"--skip {missing[0]}: {path} has no such field; it has {_list(found)}")
        twice = sorted(self._skipped & set(self._ours))
        if twice:
            raise InputError(f"--skip {twice[0]}: is given as --field too; give one of them")


def shown(value: object) -> str:
    """Return a value for a message: one line, cut short."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """Return a field that holds text.

    Raises:
        CannotMap: it is missing, empty, something else than text, or no Unicode.
    """
    value = fields.get(name)
    if not isinstance(value, str):
        raise CannotMap(name, f"received {shown(value)}, expected a text" if name in fields else "missing")
    if not value.strip():
        raise CannotMap(name, "empty")
    if not _is_unicode(value):
        raise CannotMap(name, "holds half a surrogate pair")
    return value


def name_of(fields: Mapping[str, Any], name: str) -> str:
    """Return an identifier: a text of one line, or a whole number as it is written.

    Raises:
        CannotMap: it is missing, or something else.
    """
    value = fields.get(name)
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return str(value)
    text = text_of(fields, name)
    if text != text.strip() or not text.isprintable():
        raise CannotMap(name, f"received {shown(text)}, expected one line without white space around it")
    return text


def folded(word: str) -> str:
    """Return letters and digits alone, without case."""
    return "".join(char for char in word.casefold() if char.isalnum())


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _refusal(unknown: Sequence[str], lacking: Sequence[str], found: Collection[str]) -> str:
    told = []
    if unknown:
        told.append(f"fields that the paper does not name: {_list(unknown)}")
    if lacking:
        told.append(f"needed and in no record: {', '.join(lacking)}")
    return (
        f"{'; '.join(told)}; found {_list(found)}; say which one is meant with --field OURS=THEIRS, or leave "
        "one out with --skip THEIRS"
    )


def _list(names: Collection[str]) -> str:
    return ", ".join(name if name.isidentifier() else shown(name) for name in names)

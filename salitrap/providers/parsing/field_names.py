"""Which field a key of a reply means: names in another dress, and keys given twice."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any


class Twice:
    """Different values of one field; no type takes it, so that nobody guesses between them."""

    def __init__(self, *values: Any) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"given twice: {' / '.join(map(repr, self.values))}"


def folded(name: str) -> str:
    """``name`` without case, width, spaces, hyphens and underscores."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in plain if sign.isalnum())


def collected(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of ``pairs`` in which a key with different values holds a ``Twice``."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        found[name] = value if name not in found or found[name] == value else Twice(found[name], value)
    return found


def renamed(found: Mapping[Any, Any], fields: Collection[str]) -> dict[Any, Any]:
    """``found`` with each key that can only mean one of ``fields`` under that field's name."""
    if all(key in fields for key in found):
        return dict(found)
    names = {folded(name): name for name in fields}
    pairs = ((names.get(folded(key), key) if isinstance(key, str) else key, found[key]) for key in found)
    return collected(pairs)


def names_all(value: Any, required: Iterable[str]) -> bool:
    """True when ``value`` is an object with every field of ``required``."""
    return isinstance(value, Mapping) and all(name in value for name in required)

"""What every guard takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from salitrap.records.candidate import Candidate
from salitrap.records.enums import Fault
from salitrap.records.seed import Seed
from salitrap.text import WordKind, find_words

GuardFault = tuple[Fault, str]


@dataclass(frozen=True, slots=True)
class GuardView:
    """A child's text, and what it is held against.

    ``bounds`` are the fewest and the most characters. ``told`` is what the writer was given beside the
    text: its instructions and remarks. ``adds_numbers`` allows figures that the parent lacks.
    """

    seed: Seed
    parent: Candidate
    child: str
    bounds: tuple[int, int]
    adds_numbers: bool = False
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard:
    """One question that needs no model; ``find`` gives one of ``faults`` and what was found, or None."""

    name: str
    faults: tuple[Fault, ...]
    find: Callable[[GuardView], GuardFault | None]


def new_words(kind: WordKind, view: GuardView) -> list[str]:
    """Listed phrases of the child that the seed's own prompt does not have, each once, in text order."""
    language = view.seed.language
    known = {word.casefold() for word in find_words(kind, language, view.seed.prompt)}
    found = find_words(kind, language, view.child)
    return list(dict.fromkeys(word for word in found if word.casefold() not in known))

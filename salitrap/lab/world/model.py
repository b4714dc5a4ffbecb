"""What the affordance table is made of (paper, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.records.enums import Language
from salitrap.text import find_numerals


@dataclass(frozen=True, slots=True)
class Thing:
    """A tool or an object with the fact that defeats the plan; ``phrase`` is how it stands in a sentence."""

    phrase: str
    fact: str

    @property
    def name(self) -> str:
        """The phrase without its article."""
        first, _, rest = self.phrase.partition(" ")
        return rest if first in ("a", "an", "the", "my", "some") else self.phrase


@dataclass(frozen=True, slots=True)
class Frame:
    """Sentences around the pivot that fit every group of one shape.

    A middle or closing has several wordings, which hold the same number slots in the same order.
    """

    openings: tuple[str, ...]
    middles: tuple[tuple[str, ...], ...]
    closings: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Tools that all lack one property, and objects that all need it: each pair is impossible."""

    key: str
    shape: str
    life_area: str
    scenes: tuple[str, ...]
    action: str
    act: str
    acting: str
    instead: str
    scenarios: tuple[str, ...]
    pivots: tuple[str, ...]
    tools: tuple[Thing, ...]
    objects: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One dimension in one language, as authored."""

    tag: str
    language: Language
    frames: dict[str, Frame]
    cores: tuple[str, ...]
    truths: tuple[str, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One composed seed of the table; ``numbers`` are verbatim in ``prompt``, in order.

    ``keys`` are the tool and object phrases by which a text about this seed is recognised.
    """

    tag: str
    language: Language
    group: str
    scenario: str
    prompt: str
    trap_core: str
    ground_truth: str
    tool: str
    object: str
    action: str
    preserve: tuple[str, ...]
    avoid: tuple[str, ...]
    scene: str
    life_area: str
    keys: tuple[str, str]

    @property
    def numbers(self) -> tuple[str, ...]:
        """Found when asked for: a table has thousands of entries, and few are drawn."""
        return tuple(numeral.raw for numeral in find_numerals(self.prompt))

    @property
    def name(self) -> str:
        """How an exclusion list names a seed."""
        return f"{self.scenario} ({self.tool} / {self.object} / {self.action})"

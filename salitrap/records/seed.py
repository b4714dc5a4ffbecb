"""Trap domains and their seeds (paper, sections 3.1-3.2 and 3.3.1)."""

from __future__ import annotations

from functools import cached_property

from salitrap.records.base import Record
from salitrap.records.enums import Language, Origin
from salitrap.records.ids import content_id
from salitrap.records.provenance import Provenance


class Triple(Record):
    """What filter f4 compares: (tool, object, action)."""

    tool: str
    object: str
    action: str


class Niche(Record):
    """Which corner of a domain a seed sits in; steers scaling towards what is missing."""

    tool: str
    scene: str
    life_area: str


class Niches(Record):
    """The corners a domain wants covered, one list per axis."""

    tools: tuple[str, ...]
    scenes: tuple[str, ...]
    life_areas: tuple[str, ...]


class Seed(Record):
    """(P0, T, G, n, d) plus scenario, triple and the two hints.

    ``injected_numbers`` are verbatim substrings of ``prompt``. ``seed_id`` is a hash of the
    content and doubles as the family of everything derived from the seed.
    """

    key: str
    dimension_tag: str
    language: Language
    scenario: str
    prompt: str
    trap_core: str
    ground_truth: str
    injected_numbers: tuple[str, ...]
    triple: Triple
    preserve: tuple[str, ...]
    avoid: tuple[str, ...]
    niche: Niche
    origin: Origin = Origin.EXPERT
    provenance: Provenance | None = None

    @cached_property
    def seed_id(self) -> str:
        """Identifier made from the content; the authored ``key`` and the hints do not enter."""
        return content_id("seed", self.content)

    @property
    def content(self) -> dict[str, object]:
        """The fields that make this seed the seed it is."""
        wanted = {
            "dimension_tag",
            "language",
            "scenario",
            "prompt",
            "trap_core",
            "ground_truth",
            "injected_numbers",
            "triple",
        }
        return self.model_dump(mode="json", include=wanted)

    @property
    def simulated(self) -> bool:
        """True when the lab wrote it."""
        return self.provenance is not None and self.provenance.simulated


class Domain(Record):
    """One trap domain: a YAML file that defines a dimension and its expert seeds."""

    tag: str
    name: dict[Language, str]
    definition: dict[Language, str]
    niches: dict[Language, Niches]
    seeds: tuple[Seed, ...]

    def seeds_in(self, language: Language) -> tuple[Seed, ...]:
        """Expert seeds of one language, in file order."""
        return tuple(seed for seed in self.seeds if seed.language is language)

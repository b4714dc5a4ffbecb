"""The composition of a dataset as data (paper, appendix D.2, table 3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from salitrap.records.base import Record
from salitrap.records.enums import Language, Tier
from salitrap.records.item import Item
from salitrap.text import natural_key


class CompositionLine(Record):
    """Counts and means over one group of items.

    ``numbers_mean`` is the mean of |n|, ``naturalness_mean`` on the scale of 1 to 5,
    ``stability_mean`` a share. ``name`` is the readable form of ``label``, often the same.
    """

    label: str
    name: str
    items: int
    families: int
    numbers_mean: float
    naturalness_mean: float
    stability_mean: float
    strong: int
    soft: int


class Composition(Record):
    """One line a dimension, one a language, and one for everything."""

    dimensions: tuple[CompositionLine, ...]
    languages: tuple[CompositionLine, ...]
    overall: CompositionLine


def composition(items: Iterable[Item], names: Mapping[str, str] | None = None) -> Composition:
    """Summarise ``items``; ``names`` gives readable names of dimension tags.

    Raises:
        ValueError: there are no items, so there is nothing to take a mean of.
    """
    rows = tuple(items)
    readable = names or {}
    tags = sorted({item.dimension_tag for item in rows}, key=natural_key)
    return Composition(
        dimensions=tuple(
            _line(tag, readable.get(tag, tag), [item for item in rows if item.dimension_tag == tag])
            for tag in tags
        ),
        languages=tuple(
            _line(language.value, language.value, held)
            for language in Language
            if (held := [item for item in rows if item.language is language])
        ),
        overall=_line("overall", "Overall", rows),
    )


def _line(label: str, name: str, items: Sequence[Item]) -> CompositionLine:
    return CompositionLine(
        label=label,
        name=name,
        items=len(items),
        families=len({item.seed_id for item in items}),
        numbers_mean=_mean([len(item.injected_numbers) for item in items]),
        naturalness_mean=_mean([item.naturalness_score for item in items]),
        stability_mean=_mean([item.stability_rate for item in items]),
        strong=sum(item.attack_tier is Tier.STRONG for item in items),
        soft=sum(item.attack_tier is Tier.SOFT for item in items),
    )


def _mean(values: Sequence[float]) -> float:
    if not values:
        raise ValueError("no items to summarise")
    return math.fsum(values) / len(values)

"""What the dataset says of an item and no label row does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from salitrap.records.item import Item


class ItemFacts(NamedTuple):
    """Naturalness from 1 to 5, and the model family that fell for the item when it was certified."""

    naturalness: float
    solver_family: str


Facts = Mapping[str, ItemFacts]
"""By item_id."""


def facts_of(items: Iterable[Item]) -> dict[str, ItemFacts]:
    """Return the facts of each item."""
    return {item.item_id: ItemFacts(item.naturalness_score, item.solver_family) for item in items}

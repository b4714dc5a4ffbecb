"""Splits by seed family: what descends from one seed stays together, in this version and the next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol, TypeVar

from salitrap.errors import InputError
from salitrap.records.ids import stable_int
from salitrap.records.item import Item

_HASH_RANGE = 2**63
_SPLIT_NAME = re.compile(r"[A-Za-z0-9_]+")


class Split(StrEnum):
    """Splits of the dataset, in the order in which they are listed."""

    TEST = "test"
    DEV = "dev"


class OfFamily(Protocol):
    """A row that belongs to a seed family."""

    @property
    def seed_id(self) -> str:
        """The family."""
        ...


RowT = TypeVar("RowT", bound=OfFamily)
SplitItems = dict[Split, tuple[Item, ...]]
"""Items by split, in published order; a split without rows is absent."""


def split_of(family: str, dev_share: float) -> Split:
    """Return the split of a seed family.

    The family's hash is held against a threshold, so the choice depends on nothing else that is
    in the dataset, and a larger ``dev_share`` only ever moves families from test to dev.
    """
    return Split.DEV if stable_int("split", family) < dev_share * _HASH_RANGE else Split.TEST


def is_held_out(family: str, holdout_share: float) -> bool:
    """Say whether a seed family belongs to the private holdout.

    The same hash as for splits, held against the other end: families of ``dev`` are never held out as long as
    the shares do not overlap, and a larger share only ever holds more families back.
    """
    return stable_int("split", family) >= (1.0 - holdout_share) * _HASH_RANGE


def split_rows(rows: Iterable[RowT], dev_share: float) -> dict[Split, tuple[RowT, ...]]:
    """Distribute ``rows``, keeping their order; splits that stay empty are left out."""
    held: dict[Split, list[RowT]] = {split: [] for split in Split}
    for row in rows:
        held[split_of(row.seed_id, dev_share)].append(row)
    return {split: tuple(some) for split, some in held.items() if some}


def skipped_splits(splits: SplitItems, dev_share: float) -> tuple[str, ...]:
    """Return one notice for each split that was wanted and has no rows."""
    wanted = {Split.TEST: dev_share < 1.0, Split.DEV: dev_share > 0.0}
    return tuple(
        f"split {split.value} has no items at a dev share of {dev_share:g} and was left out"
        for split in Split
        if wanted[split] and split not in splits
    )


def check_split_name(name: str) -> str:
    """Return ``name`` when the Hub's loader accepts it as a split.

    Raises:
        InputError: it is ``all``, which the loader reserves, or has other characters than
            letters, digits and underscores.
    """
    if name == "all" or not _SPLIT_NAME.fullmatch(name):
        raise InputError(f"split name {name!r}: use letters, digits and underscores, and not the word 'all'")
    return name

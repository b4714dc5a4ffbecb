"""What became of every released item, and what is new, as the registry tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum

from curation.hardening.entry import fresh_seeds
from curation.hardening.recertify import Subject, recertified_in
from curation.hardening.records import Recertified, Standing, rate_of, standing_of
from curation.hardening.released import Cell, Release, Released
from curation.registry import Registry
from curation.registry.queries import items_of
from salitrap.records import Candidate, CertifiedItem, Item, Seed
from salitrap.records.base import Record
from salitrap.records.item import item_content, item_id_of
from salitrap.settings import Settings


class Fate(StrEnum):
    """What became of a released item: it stays, another takes its place, or it goes."""

    KEPT = "kept"
    REVISED = "revised"
    RETIRED = "retired"


class NewItem(Record):
    """An item that the release did not have; ``found`` are the pool's answers to it."""

    item: CertifiedItem
    found: Recertified
    rate: float
    parent_id: str | None = None


class HardenedItem(Record):
    """A released item, what the pool made of it, and the item in its place, if there is one.

    ``rate`` is the share of the pool's scored answers that failed, None without any.
    """

    item: Item
    fate: Fate
    standing: Standing
    rate: float | None
    found: Recertified
    revision: NewItem | None = None

    @property
    def without_revision(self) -> HardenedItem:
        """What becomes of it when nothing can take its place."""
        fate = Fate.RETIRED if self.standing is Standing.SOLVED else Fate.KEPT
        return self.model_copy(update={"fate": fate, "revision": None})


class Hardened(Record):
    """All released items in their order, and new ones from new seeds."""

    items: tuple[HardenedItem, ...]
    new: tuple[NewItem, ...]

    def of(self, fate: Fate) -> tuple[HardenedItem, ...]:
        """Released items of one fate."""
        return tuple(one for one in self.items if one.fate is fate)

    @property
    def changed(self) -> bool:
        """False when the release stands as it is."""
        return bool(self.new) or any(one.fate is not Fate.KEPT for one in self.items)


def hardened_of(registry: Registry, release: Release, settings: Settings) -> Hardened:
    """Read the outcome.

    Raises:
        KeyError: an item was not answered by the pool yet.
    """
    found = recertified_in(registry)
    items = tuple(_hardened(registry, one, found, settings) for one in release.items)
    return Hardened(items=items, new=_new(registry, release, items, found, settings))


def to_refine(
    released: Iterable[Released], found: Mapping[str, Recertified], settings: Settings
) -> list[Seed]:
    """Seeds of the items that are solved, or that fail too rarely."""
    return [one.seed for one in released if _is_refined(found[one.item.item_id], settings)]


def missing_in(release: Release, items: Iterable[HardenedItem]) -> dict[Cell, int]:
    """Items that each dimension and language has fewer of than the release."""
    left = Counter(
        (one.item.dimension_tag, one.item.language) for one in items if one.fate is not Fate.RETIRED
    )
    return {cell: count - left[cell] for cell, count in release.cells.items() if count > left[cell]}


def best_of(registry: Registry, seed: Seed, *, revised: bool) -> Subject | None:
    """The best stable item of a seed; with ``revised`` the seed's own text does not count."""
    for item in items_of(registry, seed.seed_id):
        candidate = _candidate(registry, item.candidate_id)
        if not revised or candidate.parent_id is not None:
            return Subject(item.item_id, seed, candidate)
    return None


def _hardened(
    registry: Registry, one: Released, found: Mapping[str, Recertified], settings: Settings
) -> HardenedItem:
    answered = found[one.item.item_id]
    standing, rate = standing_of(answered, settings), rate_of(answered, settings)
    revision = _revision(registry, one, found, settings) if _is_refined(answered, settings) else None
    whole = HardenedItem(
        item=one.item,
        fate=Fate.REVISED,
        standing=standing,
        rate=rate,
        found=answered,
        revision=revision,
    )
    return whole if revision is not None else whole.without_revision


def _is_refined(found: Recertified, settings: Settings) -> bool:
    standing, rate = standing_of(found, settings), rate_of(found, settings)
    if standing is Standing.SOLVED:
        return True
    rare = rate is not None and rate < settings.hardening.refine_below
    return standing is Standing.HOLDS and rare


def _revision(
    registry: Registry, one: Released, found: Mapping[str, Recertified], settings: Settings
) -> NewItem | None:
    """The text in an item's place: it makes the pool fail, and more often than the item did."""
    subject = best_of(registry, one.seed, revised=True)
    made = None if subject is None else _new_item(registry, subject, found, settings, one)
    before = rate_of(found[one.item.item_id], settings)
    return made if made is not None and (before is None or made.rate > before) else None


def _new(
    registry: Registry,
    release: Release,
    items: tuple[HardenedItem, ...],
    found: Mapping[str, Recertified],
    settings: Settings,
) -> tuple[NewItem, ...]:
    """As many as are missing, in the order in which their seeds were accepted."""
    missing, made = missing_in(release, items), list[NewItem]()
    for seed in fresh_seeds(registry, release):
        cell = (seed.dimension_tag, seed.language)
        subject = best_of(registry, seed, revised=False) if missing.get(cell) else None
        new = None if subject is None else _new_item(registry, subject, found, settings, None)
        if new is not None:
            missing[cell] -= 1
            made.append(new)
    return tuple(made)


def _new_item(
    registry: Registry,
    subject: Subject,
    found: Mapping[str, Recertified],
    settings: Settings,
    parent: Released | None,
) -> NewItem | None:
    """The item if the pool was asked and fails; with a parent it belongs to the parent's family."""
    answered = found.get(subject.item_id)
    if answered is None or standing_of(answered, settings) is not Standing.HOLDS:
        return None
    item = next(one for one in items_of(registry, subject.seed.seed_id) if one.item_id == subject.item_id)
    return NewItem(
        item=item if parent is None else _in_family(item, parent.item.seed_id),
        found=answered,
        rate=rate_of(answered, settings) or 0.0,
        parent_id=None if parent is None else parent.item.item_id,
    )


def _in_family(item: CertifiedItem, family: str) -> CertifiedItem:
    """The item with the family of what it revises, and the id that follows from it."""
    numbers = item.injected_numbers
    content = item_content(family, item.prompt, item.trap_core, item.ground_truth, numbers)
    update = {"seed_id": family, "item_id": item_id_of(item.candidate_id, content)}
    return item.model_copy(update=update)


def _candidate(registry: Registry, candidate_id: str) -> Candidate:
    query = "SELECT record FROM candidates WHERE candidate_id = ?"
    (record,) = registry.connection.execute(query, (candidate_id,)).fetchone()
    return Candidate.model_validate_json(record)

"""Released items as seeds of a new run: one seed stands for one item, so that descent tells the parent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from curation.directory import Layout
from curation.registry import Registry
from curation.registry.queries import accepted_seeds
from salitrap.errors import InputError
from salitrap.records import Item, Language, Niche, Origin, Provenance, Seed, Triple
from salitrap.records.base import Record

Cell = tuple[str, Language]
NO_TRIPLE = Triple(tool="", object="", action="")
NO_NICHE = Niche(tool="", scene="", life_area="")


class Released(Record):
    """A released item and the seed that stands for it; the family is the item's ``seed_id``."""

    item: Item
    seed: Seed

    @property
    def cell(self) -> Cell:
        """Dimension and language."""
        return (self.item.dimension_tag, self.item.language)


class Release(Record):
    """What is hardened: the items of a version, and those that it or an earlier one retired."""

    items: tuple[Released, ...]
    retired: tuple[Released, ...] = ()

    @property
    def cells(self) -> dict[Cell, int]:
        """Released items by dimension and language."""
        return _counted(self.items)

    @property
    def entered(self) -> dict[Cell, int]:
        """All that new seeds are held against, by dimension and language."""
        return _counted((*self.items, *self.retired))


def release_of(items: Sequence[Item], retired: Sequence[Item] = (), run: Path | None = None) -> Release:
    """Give every item a seed of its own.

    ``run`` is the run that made the release, where it is at hand: scenario, triple, niche and hints of a
    family are taken from there. They are not published: without it the trap core stands for the
    scenario, and the others stay empty.

    Raises:
        InputError: two items would have the same seed.
        RunDirectoryError: ``run`` is no run, or damaged.
    """
    known = {} if run is None else _families(run)
    release = Release(
        items=tuple(_released(item, known) for item in items),
        retired=tuple(_released(item, known) for item in retired),
    )
    _refuse_twins(release)
    return release


def _families(run: Path) -> dict[str, Seed]:
    layout = Layout(run)
    layout.require()
    with closing(Registry.open_reader(layout.registry)) as registry:
        return {seed.seed_id: seed for seed in accepted_seeds(registry)}


def _released(item: Item, known: Mapping[str, Seed]) -> Released:
    family = known.get(item.seed_id)
    seed = Seed(
        key=item.item_id,
        dimension_tag=item.dimension_tag,
        language=item.language,
        scenario=item.trap_core if family is None else family.scenario,
        prompt=item.prompt,
        trap_core=item.trap_core,
        ground_truth=item.ground_truth,
        injected_numbers=item.injected_numbers,
        triple=NO_TRIPLE if family is None else family.triple,
        preserve=() if family is None else family.preserve,
        avoid=() if family is None else family.avoid,
        niche=NO_NICHE if family is None else family.niche,
        origin=Origin.SEED,
        provenance=Provenance(model="", simulated=True) if item.simulated else None,
    )
    return Released(item=item, seed=seed)


def _refuse_twins(release: Release) -> None:
    seen: dict[str, str] = {}
    for one in _every(release):
        other = seen.setdefault(one.seed.seed_id, one.item.item_id)
        if other != one.item.item_id:
            raise InputError(f"{one.item.item_id}: has the content of {other}; verify the dataset")


def _every(release: Release) -> Iterator[Released]:
    yield from release.items
    yield from release.retired


def _counted(released: Sequence[Released]) -> dict[Cell, int]:
    counts: dict[Cell, int] = {}
    for one in released:
        counts[one.cell] = counts.get(one.cell, 0) + 1
    return counts

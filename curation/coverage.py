"""How far the accepted seeds cover the niches that a domain wants covered, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from curation.cells import Cell, CellState
from curation.directory import Layout
from curation.pending import SetAside
from curation.registry import Registry
from curation.registry.queries import active_seeds
from curation.registry.waves import newest_wave
from generator.directives import axes_of, uses_of
from salitrap.records import Domain, Language, Seed
from salitrap.records.base import Record

LEAST = 3
"""Values named as the least used of an axis."""


class ValueUse(Record):
    """A niche value and how many seeds use it."""

    value: str
    seeds: int


class AxisCoverage(Record):
    """One axis of a cell: its values, how many of them some seed uses, and the least used ones."""

    axis: str
    values: int
    used: int
    least: tuple[ValueUse, ...]

    @property
    def share(self) -> float:
        """Used values of all, in [0, 1]; 1 for an axis without values."""
        return self.used / self.values if self.values else 1.0


class CellCoverage(Record):
    """One cell: active seeds, drafts that wait for slower cells, its axes, and niches set aside."""

    dimension_tag: str
    language: Language
    target: int
    seeds: int
    waiting: int
    axes: tuple[AxisCoverage, ...]
    set_aside: tuple[SetAside, ...] = ()


def coverage_in(directory: Path, domains: Sequence[Domain]) -> tuple[CellCoverage, ...]:
    """Coverage of the run in ``directory``, also while it is being worked on.

    Raises:
        RunDirectoryError: no run here, damaged, or written by a newer version.
    """
    with closing(Registry.open_reader(Layout(directory).registry)) as registry:
        return coverage_of(registry, domains)


def coverage_of(registry: Registry, domains: Sequence[Domain]) -> tuple[CellCoverage, ...]:
    """Cells in the order of the newest wave; none before the first, none for domains that are not given."""
    wave = newest_wave(registry)
    if wave is None:
        return ()
    seeds: dict[Cell, list[Seed]] = {}
    for seed in active_seeds(registry):
        seeds.setdefault((seed.dimension_tag, seed.language), []).append(seed)
    known = {domain.tag: domain for domain in domains}
    waiting = [draft.cell for draft in wave.held]
    return tuple(
        _of_cell(cell, known[cell.tag], seeds.get(cell.key, []), waiting.count(cell.key))
        for cell in wave.cells
        if cell.tag in known and cell.language in known[cell.tag].niches
    )


def share_covered(cells: Sequence[CellCoverage]) -> float:
    """Used niche values of all cells and axes together, in [0, 1]."""
    axes = [axis for cell in cells for axis in cell.axes]
    values = sum(axis.values for axis in axes)
    return sum(axis.used for axis in axes) / values if values else 1.0


def _of_cell(cell: CellState, domain: Domain, seeds: Sequence[Seed], waiting: int) -> CellCoverage:
    return CellCoverage(
        dimension_tag=cell.tag,
        language=cell.language,
        target=cell.target,
        seeds=len(seeds),
        waiting=waiting,
        axes=tuple(_of_axis(axis, values, seeds) for axis, values in axes_of(domain, cell.language)),
        set_aside=cell.aside,
    )


def _of_axis(axis: str, values: Sequence[str], seeds: Sequence[Seed]) -> AxisCoverage:
    uses = uses_of(axis, values, seeds)
    least = sorted(uses, key=lambda value: uses[value])[:LEAST]
    return AxisCoverage(
        axis=axis,
        values=len(values),
        used=sum(count > 0 for count in uses.values()),
        least=tuple(ValueUse(value=value, seeds=uses[value]) for value in least),
    )

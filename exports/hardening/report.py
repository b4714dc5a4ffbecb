"""``hardening.json``: what changed, item by item, and what the pool's answers say of both versions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TypeVar

from curation.hardening import Fate, Hardened, HardenedItem, NewItem, Recertified
from curation.hardening.records import counts_of
from exports.dataset.facts import public_model
from exports.hardening.measures import Answered, Failures, Separability, failures_of, separability_of
from exports.hardening.reasons import reason_of
from salitrap.records import CertifiedItem, Item, Role
from salitrap.records.base import Record
from salitrap.settings import Settings

FILE = "hardening.json"

RowT = TypeVar("RowT", HardenedItem, NewItem)


class Counted(Record):
    """Items of one dimension and language, or of all: ``released`` is the sum of the next three."""

    dimension_tag: str = ""
    language: str = ""
    released: int
    kept: int
    revised: int
    retired: int
    new: int

    @property
    def now(self) -> int:
        """Items of the next version."""
        return self.kept + self.revised + self.new


class SameTexts(Record):
    """Failures on the very same texts, before and now.

    ``as_released`` is their mean ``stability_rate``: the share of repeats in which the solver that they were
    certified with failed. ``pool`` is what the pool makes of them.
    """

    items: int
    as_released: float | None
    pool: Failures


class SolverCounts(Record):
    """Scored and failed answers of one solver to one item."""

    solver: str
    scored: int
    failed: int


class ItemChange(Record):
    """What became of one released item."""

    item_id: str
    fate: Fate
    standing: str
    rate: float | None
    solvers: tuple[SolverCounts, ...]
    reason: str
    replaced_by: str | None = None


class Addition(Record):
    """One item that the next version has and the last one had not."""

    item_id: str
    seed_id: str
    parent_id: str | None
    rate: float
    solvers: tuple[SolverCounts, ...]


class HardeningReport(Record):
    """Everything about one step from version to version; rates are shares, separability is in logits.

    ``released`` are all items of the version before, ``common`` those that both versions have,
    ``next_version`` all of the next. All three and separability are measured with ``fresh_repeats`` answers
    that decided nothing, or with those that decided where that is 0. ``separates_as_well`` is None where a
    version has no index.
    """

    since: str
    since_revision: str
    pool: tuple[str, ...]
    repeats: int
    rule: str
    solved_by: str
    fresh_repeats: int
    counts: Counted
    cells: tuple[Counted, ...]
    released: SameTexts
    common: SameTexts
    next_version: Failures
    separability_before: Separability
    separability_after: Separability
    separates_as_well: bool | None
    items: tuple[ItemChange, ...]
    additions: tuple[Addition, ...]


def report_of(hardened: Hardened, settings: Settings, since: str, revision: str) -> HardeningReport:
    """Count, measure and list."""
    before = [_answered(one.item, one.found) for one in hardened.items]
    kept = [_answered(one.item, one.found) for one in hardened.of(Fate.KEPT)]
    after = [*kept, *(_answered(one.item, one.found) for one in additions_of(hardened))]
    first, second = separability_of(before), separability_of(after)
    return HardeningReport(
        since=since,
        since_revision=revision,
        pool=tuple(public_model(one.spec) for one in settings.roles[Role.SOLVER].endpoints),
        repeats=settings.certify.repeats,
        rule=settings.certify.rule,
        solved_by=settings.hardening.solved_by,
        fresh_repeats=settings.hardening.fresh_repeats,
        counts=_counted(hardened.items, hardened.new),
        cells=_cells(hardened),
        released=_same(hardened.items, settings),
        common=_same(hardened.of(Fate.KEPT), settings),
        next_version=failures_of(after, settings),
        separability_before=first,
        separability_after=second,
        separates_as_well=_as_well(first, second),
        items=tuple(_change(one, settings) for one in hardened.items),
        additions=tuple(_addition(one, settings) for one in additions_of(hardened)),
    )


def report_bytes(report: HardeningReport) -> bytes:
    """The report as indented JSON, keys in the order of the record."""
    text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=1)
    return f"{text}\n".encode()


def additions_of(hardened: Hardened) -> tuple[NewItem, ...]:
    """Revisions in the order of what they revise, then new items."""
    revisions = (one.revision for one in hardened.of(Fate.REVISED))
    return (*(one for one in revisions if one is not None), *hardened.new)


def _answered(item: Item | CertifiedItem, found: Recertified) -> Answered:
    return Answered(item_id=item.item_id, seed_id=item.seed_id, dimension_tag=item.dimension_tag, found=found)


def _counted(
    items: Sequence[HardenedItem], new: Sequence[NewItem], dimension_tag: str = "", language: str = ""
) -> Counted:
    fates = [one.fate for one in items]
    return Counted(
        dimension_tag=dimension_tag,
        language=language,
        released=len(items),
        kept=fates.count(Fate.KEPT),
        revised=fates.count(Fate.REVISED),
        retired=fates.count(Fate.RETIRED),
        new=len(new),
    )


def _cells(hardened: Hardened) -> tuple[Counted, ...]:
    cells = sorted({_cell(one.item) for one in hardened.items})
    return tuple(_counted(_in(hardened.items, cell), _in(hardened.new, cell), *cell) for cell in cells)


def _in(rows: Iterable[RowT], cell: tuple[str, str]) -> list[RowT]:
    return [row for row in rows if _cell(row.item) == cell]


def _cell(item: Item | CertifiedItem) -> tuple[str, str]:
    return (item.dimension_tag, item.language.value)


def _same(items: Sequence[HardenedItem], settings: Settings) -> SameTexts:
    rates = [one.item.stability_rate for one in items]
    return SameTexts(
        items=len(rates),
        as_released=fmean(rates) if rates else None,
        pool=failures_of([_answered(one.item, one.found) for one in items], settings),
    )


def _as_well(before: Separability, after: Separability) -> bool | None:
    return None if before.index is None or after.index is None else after.index >= before.index


def _change(one: HardenedItem, settings: Settings) -> ItemChange:
    return ItemChange(
        item_id=one.item.item_id,
        fate=one.fate,
        standing=one.standing.value,
        rate=one.rate,
        solvers=_solvers(one.found, settings),
        reason=reason_of(one, settings),
        replaced_by=one.revision.item.item_id if one.revision is not None else None,
    )


def _addition(one: NewItem, settings: Settings) -> Addition:
    return Addition(
        item_id=one.item.item_id,
        seed_id=one.item.seed_id,
        parent_id=one.parent_id,
        rate=one.rate,
        solvers=_solvers(one.found, settings),
    )


def _solvers(found: Recertified, settings: Settings) -> tuple[SolverCounts, ...]:
    return tuple(
        SolverCounts(solver=public_model(one.solver), **counts_of(one, settings).model_dump())
        for one in found.solvers
    )

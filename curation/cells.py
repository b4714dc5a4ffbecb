"""Cells (a domain in a language) and what the registry keeps of them after each wave of scaling."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from curation.pending import DryRun, PendingDraft, SetAside
from salitrap.errors import ConfigError
from salitrap.records import Domain, Language
from salitrap.records.base import Record
from salitrap.settings import Settings
from salitrap.settings.near import nearest

BATCHES_PER_WAVE = 8
"""Most batches a cell issues at once: those of one wave cannot exclude each other's seeds."""

Cell = tuple[str, Language]


class CellEnd(StrEnum):
    """Why a cell asks for no more seeds.

    ``failing`` is ``exhausted`` with calls that failed in the last wave: it is opened again on
    resume.
    """

    TARGET = "target"
    EXHAUSTED = "exhausted"
    FAILING = "failing"


class CellState(Record):
    """One cell between two waves; ``batches`` counts those issued so far.

    ``dry`` and ``aside`` are niches that bring only duplicates, ``spared`` those set aside since the cell
    last gained a seed.
    """

    tag: str
    language: Language
    target: int
    accepted: int = 0
    batches: int = 0
    empty_waves: int = 0
    end: CellEnd | None = None
    spared: int = 0
    dry: tuple[DryRun, ...] = ()
    aside: tuple[SetAside, ...] = ()

    @property
    def missing(self) -> int:
        """Seeds still wanted."""
        return max(0, self.target - self.accepted)

    @property
    def key(self) -> Cell:
        """Domain tag and language."""
        return (self.tag, self.language)


class WaveCounts(Record):
    """What came in with one wave, before anything was decided."""

    experts: int = 0
    drafts: int = 0
    batches: int = 0
    batches_failed: int = 0

    def __add__(self, other: WaveCounts) -> WaveCounts:
        return WaveCounts(
            experts=self.experts + other.experts,
            drafts=self.drafts + other.drafts,
            batches=self.batches + other.batches,
            batches_failed=self.batches_failed + other.batches_failed,
        )


class WaveRecord(Record):
    """A wave as the registry keeps it: enough to go on from here.

    ``held`` drafts wait until their cell may have more seeds; they are counted when they are decided.
    """

    number: int
    counts: WaveCounts
    cells: tuple[CellState, ...]
    held: tuple[PendingDraft, ...] = ()


def cells_of(settings: Settings, domains: Sequence[Domain]) -> tuple[CellState, ...]:
    """One cell for each domain and each language that both it and the settings have.

    Raises:
        ConfigError: ``targets`` names a dimension that no domain file defines, or a language it lacks.
    """
    _refuse_unknown_dimensions(settings, domains)
    _refuse_missing_languages(settings, domains)
    return tuple(
        CellState(tag=domain.tag, language=language, target=settings.target(domain.tag, language))
        for domain in domains
        for language in settings.languages
        if language in domain.definition
    )


def _refuse_unknown_dimensions(settings: Settings, domains: Sequence[Domain]) -> None:
    known = [domain.tag for domain in domains]
    unknown = [tag for tag in settings.targets if tag not in (*known, "default")]
    if unknown:
        near = nearest(unknown[0], [*known, "default"])
        raise ConfigError(
            f"targets: unknown dimension {', '.join(unknown)}; "
            f"the domains of this run define {', '.join(known)}"
            + (f"; did you mean {near!r}?" if near else "")
        )


def _refuse_missing_languages(settings: Settings, domains: Sequence[Domain]) -> None:
    for domain in domains:
        for language, wanted in settings.targets.get(domain.tag, {}).items():
            if wanted and language not in domain.definition:
                raise ConfigError(
                    f"targets.{domain.tag}.{language.value}: the domain has no definition in "
                    f"{language.value!r}, only in {', '.join(domain.definition)}; write one or leave it out"
                )


def after_wave(  # what a wave brought, and the limit
    cell: CellState,
    accepted: int,
    batches: int,
    failed: int,
    empty_waves: int,
    *,
    waiting: bool = False,
    set_aside: int = 0,
) -> CellState:
    """The cell after a wave that brought ``accepted`` seeds; ``empty_waves`` without any end it.

    A wave after which drafts of the cell are ``waiting`` is not an empty one. Each niche that was set aside
    since the last seed gives the cell one wave more to try others, up to ``empty_waves`` more.
    """
    empty = bool(batches) and not accepted and not waiting
    spared = set_aside if accepted else cell.spared + set_aside
    now = cell.model_copy(
        update={
            "accepted": cell.accepted + accepted,
            "batches": cell.batches + batches,
            "empty_waves": 0 if accepted else cell.empty_waves + empty,
            "spared": spared,
        }
    )
    if now.missing == 0:
        return now.model_copy(update={"end": CellEnd.TARGET})
    if now.empty_waves >= empty_waves + min(spared, empty_waves):
        return now.model_copy(update={"end": CellEnd.FAILING if failed else CellEnd.EXHAUSTED})
    return now


def reopened(cell: CellState, target: int) -> CellState:
    """The cell as a resumed run sees it: it asks again when its target rose or its calls failed."""
    end, empty_waves, spared = cell.end, cell.empty_waves, cell.spared
    if cell.accepted >= target:
        end = CellEnd.TARGET
    elif target > cell.target or end is CellEnd.FAILING:
        end, empty_waves, spared = None, 0, 0
    changed = {"target": target, "end": end, "empty_waves": empty_waves, "spared": spared}
    return cell.model_copy(update=changed)

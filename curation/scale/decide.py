"""Decide the drafts of a wave in fixed order: filters f1 to f5, then the viability screen, evenly by cell."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from curation import rejects
from curation.cells import Cell, CellState, WaveCounts, WaveRecord, after_wave
from curation.dedup import Duplicate, Kept
from curation.dedup.all_filters import AllFilters
from curation.pending import PendingDraft
from curation.registry.events import (
    Event,
    EventKind,
    rejection_event,
    review_event,
    seed_event,
    viability_event,
)
from curation.scale.intake import Intake, cell_place, seed_faults, unsound
from curation.scale.levels import cap_of, slowest_of
from curation.scale.niches import NicheBook
from curation.scale.screen import ruled_out
from curation.scale.state import ScaleState
from curation.tools import Tools
from salitrap.records import Domain, Fault, Language, Rejection, Seed, VerdictKind


class WaveLedger:
    """Accepts or rejects the seeds of one wave and keeps count of both."""

    def __init__(self, tools: Tools, state: ScaleState, filters: AllFilters) -> None:
        self._tools, self._state, self._filters = tools, state, filters
        self._new: list[Seed] = []
        self._events: list[Event] = []
        self._ranks = Counter[Cell]({cell.key: cell.accepted for cell in state.cells})
        most = tools.settings.scale.niche_duplicates
        self._niches = {cell.key: NicheBook(cell, most) for cell in state.cells}
        self._queues = {cell.key: deque[PendingDraft]() for cell in state.cells}
        self._intake, self._unjudged = Intake(), Counter[Cell]()
        self._experts = self._drafts = self._rejected = 0

    def take_experts(self, domain: Domain, language: Language) -> None:
        """Enter a cell's expert seeds in file order; those beyond the target wait for a higher one."""
        where = cell_place(self._state.cells, self._state.wave, (domain.tag, language))
        for number, seed in enumerate(domain.seeds_in(language)):
            self._experts += 1
            place, raw = f"{where}.b0000.d{number:04d}", seed.model_dump_json()
            faults = seed_faults(self._tools, seed)
            if faults:
                self._reject(unsound(seed, faults, raw), place)
            else:
                self._filter(PendingDraft(seed=seed, raw=raw, place=place))

    def take(self, intake: Intake, sound: Sequence[PendingDraft]) -> None:
        """Decide drafts that waited, then those of this wave; ``sound`` are the latter, screened."""
        self._intake = intake
        for rejection, place in intake.rejected:
            self._reject(rejection, place)
        for draft in (*self._state.held, *sound):
            self._queues[draft.cell].append(draft)
        while self._round():
            pass

    def state_after(self, empty_waves: int) -> ScaleState:
        """The state when all of the wave has been entered."""
        cells = tuple(self._cell_after(cell, empty_waves) for cell in self._state.cells)
        held = tuple(draft for cell in cells for draft in self._queues[cell.key])
        record = WaveRecord(number=self._state.wave, counts=self._counts(), cells=cells, held=held)
        told = Event(
            EventKind.WAVE, f"wave-{record.number}", record.model_dump(mode="json"), None, str(record.number)
        )
        return ScaleState(
            wave=self._state.wave + 1,
            cells=cells,
            accepted=(*self._state.accepted, *self._new),
            fresh=(*self._events, told),
            rejected=self._state.rejected + self._rejected,
            held=held,
        )

    def _counts(self) -> WaveCounts:
        return WaveCounts(
            experts=self._experts,
            drafts=self._drafts + self._intake.drafts,
            batches=self._intake.batches.total(),
            batches_failed=self._intake.failed.total(),
        )

    def _round(self) -> bool:
        """Decide at most one draft of each cell that may have more; False when there was none."""
        moved = False
        for cell in self._state.cells:
            if self._queues[cell.key] and self._may_have_more(cell):
                self._drafts += 1
                self._decide(cell, self._queues[cell.key].popleft())
                moved = True
        return moved

    def _may_have_more(self, cell: CellState) -> bool:
        """One batch ahead of the slowest at most; a full cell rejects what is left."""
        rank = self._ranks[cell.key]
        slowest = slowest_of(self._state.cells, self._ranks)
        return rank >= cell.target or rank < cap_of(cell, slowest, self._tools.settings.scale.batch_size)

    def _decide(self, cell: CellState, draft: PendingDraft) -> None:
        if self._ranks[cell.key] >= cell.target:
            reason, subject = "its cell is full", draft.seed.seed_id
            full = rejects.of_draft(*cell.key, subject, Fault.NOT_SELECTED, reason, draft.raw)
            self._reject(full, draft.place)
            return
        corner, verdict = (draft.axis, draft.value), self._filter(draft)
        if isinstance(verdict, Duplicate):
            self._niches[cell.key].duplicate(corner, verdict.fault.value)
        elif verdict is not None:
            self._niches[cell.key].accepted(corner)

    def _filter(self, draft: PendingDraft) -> Kept | Duplicate | None:
        """Enter a seed or its rejection; None when only the screen ruled it out."""
        seed = draft.seed
        out = ruled_out(draft)
        verdict = self._filters.reserve_unjudged(seed) if out else self._filters.reserve(seed)
        if isinstance(verdict, Duplicate):
            self._reject(rejects.of_duplicate(seed, verdict, draft.raw), draft.place)
            return verdict
        if out:
            assert draft.verdict is not None
            self._filters.release(seed.seed_id)
            self._unjudged[draft.cell] += draft.verdict.verdict is VerdictKind.COULD_NOT_JUDGE
            self._reject(rejects.of_screened(seed, draft.verdict, draft.raw), draft.place)
            return None
        self._accept(draft, verdict)
        return verdict

    def _accept(self, draft: PendingDraft, verdict: Kept) -> None:
        position, rank = len(self._state.accepted) + len(self._new), self._ranks[draft.cell]
        self._ranks[draft.cell] += 1
        self._new.append(draft.seed)
        self._events.append(seed_event(draft.seed, position, rank))
        if draft.verdict is not None:
            self._events.append(viability_event(draft.verdict, draft.seed.seed_id))
        self._events.extend(review_event(review) for review in verdict.reviews)

    def _cell_after(self, cell: CellState, empty_waves: int) -> CellState:
        gained, book = self._ranks[cell.key] - cell.accepted, self._niches[cell.key]
        if cell.end is not None and not gained:
            return cell
        after = after_wave(
            cell,
            gained,
            self._intake.batches[cell.key],
            self._intake.failed[cell.key] + self._unjudged[cell.key],
            empty_waves,
            waiting=bool(self._queues[cell.key]),
            set_aside=book.newly_aside,
        )
        return after.model_copy(update={"dry": book.dry, "aside": book.aside})

    def _reject(self, rejection: Rejection, place: str) -> None:
        self._rejected += 1
        self._events.append(rejection_event(rejection, place))

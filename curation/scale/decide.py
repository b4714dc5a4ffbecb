"""Decide the seeds of a wave, in fixed order: structure, language, then filters f1 to f4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curation import rejects
from curation.cells import CellState, WaveCounts, WaveRecord, after_wave
from curation.dedup import Deduplicator, Duplicate
from curation.registry.events import Event, EventKind, rejection_event, review_event, seed_event
from curation.scale.state import ScaleState
from curation.scale.wave import BatchPlan, BatchReply
from curation.tools import Tools
from generator.drafts import SeedDraft
from salitrap.records import Domain, Fault, Language, Rejection, Seed, content_id
from salitrap.text import in_language

Cell = tuple[str, Language]


class WaveLedger:
    """Accepts or rejects the seeds of one wave and keeps count of both."""

    def __init__(self, tools: Tools, state: ScaleState, dedup: Deduplicator) -> None:
        self._tools, self._state, self._dedup = tools, state, dedup
        self._new: list[Seed] = []
        self._events: list[Event] = []
        self._ranks = Counter[Cell]({cell.key: cell.accepted for cell in state.cells})
        self._batches, self._failed = Counter[Cell](), Counter[Cell]()
        self._experts = self._drafts = self._rejected = 0

    def take_experts(self, domain: Domain, language: Language) -> None:
        """Enter a cell's expert seeds in file order; those beyond the target wait for a higher one."""
        for number, seed in enumerate(domain.seeds_in(language)):
            self._experts += 1
            place = f"{self._place((domain.tag, language))}.b0000.d{number:04d}"
            self._settle(seed, seed.model_dump_json(), place)

    def take_reply(self, reply: BatchReply) -> None:
        """Enter what one batch brought."""
        plan, cell = reply.plan, reply.plan.cell.key
        self._batches[cell] += 1
        place = f"{self._place(cell)}.b{plan.ordinal:04d}"
        if reply.failure is not None:
            self._failed[cell] += 1
            subject = content_id("batch", [plan.key])
            reason = rejects.reason_of(reply.failure)
            self._reject(
                rejects.of_draft(*cell, subject, Fault.CALL_FAILED, reason, reply.failure.raw), place
            )
        for number, draft in enumerate(reply.drafts):
            self._drafts += 1
            self._take_draft(plan, reply, draft, number, f"{place}.d{number:04d}")

    def state_after(self, empty_waves: int) -> ScaleState:
        """The state when all of the wave has been entered."""
        cells = tuple(self._cell_after(cell, empty_waves) for cell in self._state.cells)
        counts = WaveCounts(
            experts=self._experts,
            drafts=self._drafts,
            batches=self._batches.total(),
            batches_failed=self._failed.total(),
        )
        record = WaveRecord(number=self._state.wave, counts=counts, cells=cells)
        told = Event(
            EventKind.WAVE, f"wave-{record.number}", record.model_dump(mode="json"), None, str(record.number)
        )
        return ScaleState(
            wave=self._state.wave + 1,
            cells=cells,
            accepted=(*self._state.accepted, *self._new),
            fresh=(*self._events, told),
            rejected=self._state.rejected + self._rejected,
        )

    def _cell_after(self, cell: CellState, empty_waves: int) -> CellState:
        gained = self._ranks[cell.key] - cell.accepted
        if cell.end is not None and not gained:
            return cell
        return after_wave(cell, gained, self._batches[cell.key], self._failed[cell.key], empty_waves)

    def _take_draft(
        self, plan: BatchPlan, reply: BatchReply, draft: SeedDraft, number: int, place: str
    ) -> None:
        cell, raw = plan.cell.key, draft.model_dump_json()
        try:
            assert reply.provenance is not None
            key = f"{plan.key}-{number}"
            seed = self._tools.programs.make_seed(draft, *cell, reply.provenance, key)
        except ValueError as error:
            subject = content_id("draft", [plan.key, number])
            self._reject(rejects.of_draft(*cell, subject, Fault.BAD_STRUCTURE, str(error), raw), place)
            return
        if self._ranks[cell] >= plan.cell.target:
            full = rejects.of_draft(*cell, seed.seed_id, Fault.NOT_SELECTED, "its cell is full", raw)
            self._reject(full, place)
            return
        self._settle(seed, raw, place)

    def _settle(self, seed: Seed, raw: str, place: str) -> None:
        faults = seed_faults(self._tools, seed)
        if faults:
            reason = "; ".join(reason for _, reason in faults)
            cell = (seed.dimension_tag, seed.language)
            self._reject(rejects.of_draft(*cell, seed.seed_id, faults[0][0], reason, raw), place)
            return
        (verdict,) = self._dedup.reserve([seed])
        if isinstance(verdict, Duplicate):
            self._reject(rejects.of_duplicate(seed, verdict, raw), place)
            return
        position = len(self._state.accepted) + len(self._new)
        rank = self._ranks[(seed.dimension_tag, seed.language)]
        self._ranks[(seed.dimension_tag, seed.language)] += 1
        self._new.append(seed)
        self._events.append(seed_event(seed, position, rank))
        self._events.extend(review_event(review) for review in verdict.reviews)

    def _reject(self, rejection: Rejection, place: str) -> None:
        self._rejected += 1
        self._events.append(rejection_event(rejection, place))

    def _place(self, cell: Cell) -> str:
        keys = [known.key for known in self._state.cells]
        return f"w{self._state.wave:04d}.c{keys.index(cell):04d}"


def seed_faults(tools: Tools, seed: Seed) -> Sequence[tuple[Fault, str]]:
    """Structure and language, without a model."""
    faults = tools.programs.check_structure(
        seed.prompt,
        seed.trap_core,
        seed.ground_truth,
        seed.injected_numbers,
        seed.language,
        tools.settings.scale,
    )
    foreign = [
        name
        for name, text in (("prompt", seed.prompt), ("trap_core", seed.trap_core))
        if not in_language(text, seed.language)
    ]
    if foreign and all(fault is not Fault.WRONG_LANGUAGE for fault, _ in faults):
        reason = f"{' and '.join(foreign)} not in {seed.language.value}"
        return (*faults, (Fault.WRONG_LANGUAGE, reason))
    return faults

"""The scaling stage: experts first, then waves of micro-batches until every cell has ended.

Each wave is committed whole, with the state after it, so that a resumed run goes on at the next
wave; an interrupted wave is asked for again and answered from the journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.cells import CellEnd, cells_of, reopened
from curation.dedup import Deduplicator
from curation.dedup.all_filters import AllFilters
from curation.estimates import plan_scale
from curation.fingerprints import scale_fingerprint
from curation.pending import PendingDraft
from curation.registry import Batch, Registry, WorkState
from curation.registry.queries import accepted_seeds
from curation.registry.waves import counts_so_far, last_wave
from curation.scale.decide import WaveLedger
from curation.scale.intake import take_in
from curation.scale.screen import ruled_out, screened
from curation.scale.state import ScaleState
from curation.scale.wave import ask_wave
from curation.stage import Reporter
from curation.tools import Tools
from salitrap.errors import ConfigError
from salitrap.plan import Plan
from salitrap.records import Domain, Language, Seed, Stage


class ScaleStage:
    """Steps of one wave each."""

    def __init__(self, tools: Tools, domains: Sequence[Domain]) -> None:
        self._tools = tools
        self._domains: Mapping[str, Domain] = {domain.tag: domain for domain in domains}
        self._dedup = Deduplicator(tools.settings.scale.similarity)
        self._dedup_of: tuple[Seed, ...] = ()
        self._meaning_of: tuple[Seed, ...] | None = None
        _refuse_character_sets(tools)

    def first(self) -> ScaleState:
        """The state before anything was accepted."""
        return ScaleState(wave=0, cells=cells_of(self._tools.settings, tuple(self._domains.values())))

    async def step(self, state: ScaleState) -> ScaleState:
        """Decide the expert seeds (wave 0) or one wave of micro-batches.

        Raises:
            StoppedError: the run cannot go on; ``state`` still holds.
        """
        replies = await ask_wave(self._tools, state, self._domains) if state.wave else ()
        intake = take_in(self._tools, replies, state.cells)
        dedup = self._reservations(state)
        sound = await screened(self._tools, intake.sound, dedup, self._domains)
        filters = await self._filters(state, dedup)
        await filters.fetch(self._judged(state, sound))
        ledger = WaveLedger(self._tools, state, filters)
        if state.wave == 0:
            for cell in state.cells:
                ledger.take_experts(self._domains[cell.tag], cell.language)
        ledger.take(intake, sound)
        after = ledger.state_after(self._tools.settings.scale.empty_waves)
        self._dedup_of = self._meaning_of = after.accepted
        return after

    def finished(self, state: ScaleState) -> bool:
        """True when no cell asks for more."""
        return state.finished

    def estimate(self, state: ScaleState) -> Plan:
        """Calls from ``state`` to the end."""
        return plan_scale(self._tools.settings, state.cells)

    def reserve(self, state: ScaleState, batch: Sequence[Seed]) -> tuple[object, ...]:
        """Check and reserve seeds against the accepted ones of ``state``."""
        return self._reservations(state).reserve(batch)

    async def _filters(self, state: ScaleState, dedup: Deduplicator) -> AllFilters:
        """f1 to f4, and f5 as of ``state`` where it is on."""
        meaning = self._tools.meaning
        if meaning is not None and self._meaning_of is not state.accepted:
            await meaning.restore(state.accepted)
            self._meaning_of = state.accepted
        return AllFilters(dedup, meaning)

    def _judged(self, state: ScaleState, sound: Sequence[PendingDraft]) -> list[Seed]:
        """Every seed that f5 may have to judge in this step, in order."""
        experts = [
            seed
            for cell in state.cells
            if state.wave == 0
            for seed in self._domains[cell.tag].seeds_in(cell.language)
        ]
        return experts + [draft.seed for draft in (*state.held, *sound) if not ruled_out(draft)]

    def _reservations(self, state: ScaleState) -> Deduplicator:
        """The filters as of ``state``; rebuilt when it is not the state they were left in."""
        if self._dedup_of is not state.accepted or len(self._dedup) != len(state.accepted):
            self._dedup = Deduplicator(self._tools.settings.scale.similarity)
            self._dedup.restore(state.accepted)
            self._dedup_of = state.accepted
        return self._dedup


async def run_scale(
    tools: Tools, domains: Sequence[Domain], registry: Registry, reporter: Reporter
) -> ScaleState:
    """Scale until every cell has ended, committing each wave.

    Raises:
        ConfigError: character sets are asked for on an alphabetic script.
        StoppedError: the run cannot go on; the same call goes on later.
    """
    stage = ScaleStage(tools, domains)
    fingerprint = scale_fingerprint(tools.settings, domains, tools.programs.prompts)
    state = resumed(registry, fingerprint, stage.first())
    reporter.stage_started(Stage.SCALE, sum(cell.target for cell in state.cells))
    _report(reporter, state)
    while not stage.finished(state):
        first = state.wave == 0
        state = await stage.step(state)
        unsettled = any(cell.end is CellEnd.FAILING for cell in state.cells)
        registry.write(
            Batch(
                stage=Stage.SCALE,
                fingerprint=fingerprint,
                events=state.fresh,
                state=WorkState.UNSETTLED if unsettled else WorkState.DONE,
                replace=first,
                summary={"wave": state.wave - 1, "finished": state.finished},
            )
        )
        _report(reporter, state)
    reporter.finished(Stage.SCALE)
    return state


def resumed(registry: Registry, fingerprint: str, first: ScaleState) -> ScaleState:
    """The state after the last committed wave, or the first when the fingerprint is new."""
    last = last_wave(registry, fingerprint)
    if last is None:
        return first
    targets = {cell.key: cell.target for cell in first.cells}
    counts = counts_so_far(registry)
    accepted = tuple(accepted_seeds(registry))
    return ScaleState(
        wave=last.number + 1,
        cells=tuple(reopened(cell, targets[cell.key]) for cell in last.cells),
        accepted=accepted,
        rejected=counts.experts + counts.drafts + counts.batches_failed - len(accepted),
        held=last.held,
    )


def _report(reporter: Reporter, state: ScaleState) -> None:
    done = sum(min(cell.accepted, cell.target) for cell in state.cells)
    aside = sum(max(0, cell.accepted - cell.target) for cell in state.cells)
    counts = {"accepted": done, "set_aside": aside, "rejected": state.rejected}
    reporter.advanced(Stage.SCALE, done, counts)


def _refuse_character_sets(tools: Tools) -> None:
    """Any two texts of an alphabetic script share nearly the whole alphabet.

    Raises:
        ConfigError: single characters would be compared on such a script.
    """
    settings = tools.settings
    if settings.scale.similarity.alphabetic_ngram == 1 and Language.EN in settings.languages:
        raise ConfigError(
            "scale.similarity.alphabetic_ngram: 1 calls nearly all English prompts duplicates; "
            "use 2 or more, or leave 'en' out of 'languages'"
        )

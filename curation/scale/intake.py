"""What the replies of a wave hold: sound drafts for the filters, and what is rejected before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from curation import rejects
from curation.cells import Cell, CellState
from curation.pending import PendingDraft
from curation.scale.wave import BatchPlan, BatchReply
from curation.tools import Tools
from generator.drafts import SeedDraft
from salitrap.records import Fault, Rejection, Seed, content_id
from salitrap.text import in_language


@dataclass(slots=True)
class Intake:
    """One wave's replies, taken apart in order of cell and batch.

    ``drafts`` counts the drafts that are among ``rejected``; those in ``sound`` are counted when they are
    decided.
    """

    sound: list[PendingDraft] = field(default_factory=list)
    rejected: list[tuple[Rejection, str]] = field(default_factory=list)
    drafts: int = 0
    batches: Counter[Cell] = field(default_factory=Counter)
    failed: Counter[Cell] = field(default_factory=Counter)


def take_in(tools: Tools, replies: Sequence[BatchReply], cells: Sequence[CellState]) -> Intake:
    """Turn drafts into seeds and check what needs neither a model nor other seeds."""
    intake = Intake()
    for reply in replies:
        _take_reply(tools, reply, place_of(cells, reply.plan), intake)
    return intake


def place_of(cells: Sequence[CellState], plan: BatchPlan) -> str:
    """Where a batch stands in the run; sorts as text."""
    return f"{cell_place(cells, plan.wave, plan.cell.key)}.b{plan.ordinal:04d}"


def cell_place(cells: Sequence[CellState], wave: int, cell: Cell) -> str:
    """Where a cell stands in a wave; sorts as text."""
    return f"w{wave:04d}.c{[known.key for known in cells].index(cell):04d}"


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


def unsound(seed: Seed, faults: Sequence[tuple[Fault, str]], raw: str) -> Rejection:
    """The record of a seed that structure or language rules out."""
    reason = "; ".join(reason for _, reason in faults)
    return rejects.of_draft(seed.dimension_tag, seed.language, seed.seed_id, faults[0][0], reason, raw)


def _take_reply(tools: Tools, reply: BatchReply, place: str, intake: Intake) -> None:
    cell = reply.plan.cell.key
    intake.batches[cell] += 1
    if reply.failure is not None:
        intake.failed[cell] += 1
        subject, reason = content_id("batch", [reply.plan.key]), rejects.reason_of(reply.failure)
        record = rejects.of_draft(*cell, subject, Fault.CALL_FAILED, reason, reply.failure.raw)
        intake.rejected.append((record, place))
    for number, draft in enumerate(reply.drafts):
        taken = _taken(tools, reply, draft, number, f"{place}.d{number:04d}")
        if isinstance(taken, PendingDraft):
            intake.sound.append(taken)
        else:
            intake.drafts += 1
            intake.rejected.append((taken, f"{place}.d{number:04d}"))


def _taken(
    tools: Tools, reply: BatchReply, draft: SeedDraft, number: int, place: str
) -> PendingDraft | Rejection:
    plan, raw = reply.plan, draft.model_dump_json()
    cell = plan.cell.key
    assert reply.provenance is not None
    try:
        seed = tools.programs.make_seed(draft, *cell, reply.provenance, f"{plan.key}-{number}")
    except ValueError as error:
        subject = content_id("draft", [plan.key, number])
        return rejects.of_draft(*cell, subject, Fault.BAD_STRUCTURE, str(error), raw)
    faults = seed_faults(tools, seed)
    if faults:
        return unsound(seed, faults, raw)
    axis, value = plan.steering.stressed
    return PendingDraft(seed=seed, raw=rejects.storable(raw), place=place, axis=axis, value=value)

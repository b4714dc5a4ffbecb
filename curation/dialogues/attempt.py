"""One version of a dialogue: written, looked over, checked, played, and repeated if a solver fell for it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

from curation.dialogues.playing import is_known, play, play_again, stability_of
from curation.dialogues.records import KeptDialogue, PlayedLabels
from curation.dialogues.tools import DialogueTools
from curation.routing import overall
from curation.stage import gather_all
from curation.transitions import DIALOGUES, Found, after
from curation.validate import naturalness_of
from generator.dialogues import Source
from salitrap.dialogues import Dialogue, Pattern
from salitrap.errors import CallFailed
from salitrap.records import Evaluation, Fault, VerdictKind

SHOWN = 3
"""Findings that a remark to the writer names."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A version that was not even written, since its call failed."""

    attempt: int
    reason: str


async def attempt(  # the request, and what to make of it
    tools: DialogueTools,
    source: Source,
    pattern: Pattern,
    number: int,
    remarks: tuple[str, ...],
    slot: int,
) -> KeptDialogue | Failed:
    """Make version ``number`` of a dialogue.

    Raises:
        StoppedError: the run cannot go on.
    """
    writer = tools.programs.writers[pattern]
    try:
        written = await writer.write(
            tools.access,
            source,
            turns_wanted=tools.settings.dialogues.turns,
            remarks=remarks,
            slot=slot,
            repeat=number,
        )
    except CallFailed as error:
        return Failed(number, str(error))
    dialogue = written.dialogue
    found = tools.programs.finds(dialogue, source.prompt)
    if found:
        told = "; ".join(str(one) for one in list(found)[:SHOWN])
        return _as(_kept(dialogue, number), Found.FAULTY, Fault.BAD_STRUCTURE, told)
    return await _examined(tools, dialogue, number, slot)


async def _examined(tools: DialogueTools, dialogue: Dialogue, number: int, slot: int) -> KeptDialogue:
    checks: list[Awaitable[Evaluation]] = [
        checker.check(tools.access, dialogue, slot=slot) for checker in tools.programs.checks
    ]
    evaluations = tuple(await gather_all(checks))
    kept = _kept(dialogue, number).model_copy(
        update={"evaluations": evaluations, "naturalness": naturalness_of(evaluations)}
    )
    refused = _refused(kept, tools.settings.validation.certify_naturalness)
    return refused or await _played(tools, kept, slot)


def _refused(kept: KeptDialogue, least_natural: float) -> KeptDialogue | None:
    """``kept`` as refused by its checks; None when they pass."""
    verdict = overall(kept.evaluations)
    if verdict is not VerdictKind.PASS:
        first = next(one for one in kept.evaluations if one.verdict is verdict)
        found = Found.CHECK_FAILED if verdict is VerdictKind.FAIL else Found.NOT_CHECKED
        return _as(kept, found, first.fault or Fault.CALL_FAILED, _told(first))
    if kept.naturalness is not None and kept.naturalness < least_natural:
        return _as(kept, Found.UNREADABLE, Fault.UNNATURAL, f"naturalness {kept.naturalness:.1f}")
    return None


async def _played(tools: DialogueTools, kept: KeptDialogue, slot: int) -> KeptDialogue:
    first = await play(tools, kept.dialogue, slot, 0)
    kept = kept.model_copy(update={"playings": (first,), "tier": first.tier})
    if first.robust is None:
        return _as(kept, Found.NO_LABEL, *_why_unknown(first))
    if first.robust:
        return _as(kept, Found.HARMLESS, Fault.NO_ATTACK, f"{first.solver} flagged it and held")
    kept = _as(kept, Found.ATTACK, None, "")
    again = await play_again(tools, kept.dialogue, slot)
    stability = stability_of(again, tools.settings.certify)
    kept = kept.model_copy(update={"playings": (first, *again), "stability": stability})
    told = f"not robust in {stability.rate:.2f} of {stability.scored} scored repeats, {stability.rule}"
    if not is_known(stability):
        return _as(kept, Found.UNSCORED, Fault.CALL_FAILED, f"{stability.unscored} repeats have no end")
    if not stability.stable:
        return _as(kept, Found.UNSTABLE, Fault.UNSTABLE, told)
    return _as(kept, Found.STABLE, None, told)


def _kept(dialogue: Dialogue, number: int) -> KeptDialogue:
    status = after(None, Found.WRITTEN, DIALOGUES).status
    return KeptDialogue(dialogue=dialogue, attempt=number, status=status)


def _as(kept: KeptDialogue, found: Found, fault: Fault | None, reason: str) -> KeptDialogue:
    status = after(kept.status, found, DIALOGUES).status
    return kept.model_copy(update={"status": status, "fault": fault, "reason": reason})


def _told(evaluation: Evaluation) -> str:
    fault = f"{evaluation.fault.value}: " if evaluation.fault else ""
    return f"{evaluation.checker}: {fault}{evaluation.reason}".strip()


def _why_unknown(playing: PlayedLabels) -> tuple[Fault, str]:
    last = next((one for one in reversed(playing.answers) if one.label is None), None)
    if last is None:
        return Fault.CALL_FAILED, f"the playing ended: {playing.ended.value}"
    fault = Fault.JUDGE_UNRESOLVED if last.status.value.startswith("judge") else Fault.CALL_FAILED
    return fault, f"turn {last.turn}: {last.status.value}: {last.reason}"

"""The controls of a stable trap dialogue: the feasible twin it needs, and those the settings name."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

from curation.dialogues.records import KeptDialogue
from curation.dialogues.tools import DialogueTools
from curation.routing import overall
from curation.stage import gather_all
from generator.dialogues import concat_of, neutral_of
from salitrap.dialogues import Control, Dialogue
from salitrap.errors import CallFailed
from salitrap.records import Evaluation, Fault, Status, VerdictKind


@dataclass(frozen=True, slots=True)
class Family:
    """A trap dialogue with its controls, those that failed included."""

    trap: KeptDialogue
    controls: tuple[KeptDialogue, ...]

    @property
    def unsettled(self) -> bool:
        """True when a call failed, so that it has to be looked at again."""
        return self.trap.status is Status.UNSETTLED


async def with_controls(tools: DialogueTools, trap: KeptDialogue, slot: int) -> Family:
    """Make the controls of ``trap``; without a sound twin the trap dialogue is not kept.

    Raises:
        StoppedError: the run cannot go on.
    """
    tried = list[KeptDialogue]()
    for number in range(tools.settings.dialogues.twin_attempts):
        try:
            twin = await tools.programs.twin.write(tools.access, trap.dialogue, slot=slot, repeat=number)
        except CallFailed as error:
            return _waits(trap, tuple(tried), str(error))
        tried.append(await _examined(tools, trap.dialogue, twin, number, slot))
        if tried[-1].status is not Status.INVALID:
            break
    return await _completed(tools, trap, tuple(tried), slot)


def _waits(trap: KeptDialogue, tried: tuple[KeptDialogue, ...], why: str) -> Family:
    """The trap dialogue is not published before its controls are there."""
    update = {"status": Status.UNSETTLED, "fault": Fault.CALL_FAILED, "reason": f"controls: {why}"}
    return Family(trap.model_copy(update=update), tried)


async def _completed(
    tools: DialogueTools, trap: KeptDialogue, tried: tuple[KeptDialogue, ...], slot: int
) -> Family:
    twin = tried[-1]
    if twin.status is Status.UNSETTLED:
        return _waits(trap, tried, twin.reason)
    if twin.status is not Status.STABLE:
        update = {"status": Status.INVALID, "fault": Fault.NO_TWIN, "reason": f"no sound twin: {twin.reason}"}
        return Family(trap.model_copy(update=update), tried)
    kept = trap.model_copy(update={"twin_id": twin.dialogue_id})
    try:
        others = [await _other(tools, trap, control, slot) for control in tools.settings.dialogues.controls]
    except CallFailed as error:
        return _waits(kept, tried, str(error))
    return Family(kept, (*tried, *(one for one in others if one is not None)))


async def _examined(
    tools: DialogueTools, trap: Dialogue, twin: Dialogue, number: int, slot: int
) -> KeptDialogue:
    found = [*tools.programs.finds(twin), *tools.programs.finds_twin(trap, twin)]
    if found:
        return _control(twin, number, Status.INVALID, "; ".join(map(str, found[:3])))
    checks: list[Awaitable[Evaluation]] = [
        checker.check(tools.access, twin, slot=slot) for checker in tools.programs.twin_checks
    ]
    evaluations = tuple(await gather_all(checks))
    verdict = overall(evaluations)
    status = {VerdictKind.PASS: Status.STABLE, VerdictKind.FAIL: Status.INVALID}.get(
        verdict, Status.UNSETTLED
    )
    reason = next((one.reason for one in evaluations if one.verdict is verdict), "")
    made = _control(twin, number, status, "" if status is Status.STABLE else reason)
    return made.model_copy(update={"evaluations": evaluations})


async def _other(
    tools: DialogueTools, trap: KeptDialogue, control: Control, slot: int
) -> KeptDialogue | None:
    """One more control; None where the pattern has none of this kind."""
    made: Dialogue | None = None
    match control:
        case Control.VALID_CORRECTION:
            made = await tools.programs.correction.write(tools.access, trap.dialogue, slot=slot)
        case Control.CONCAT:
            made = concat_of(trap.dialogue)
        case Control.NEUTRAL:
            made = neutral_of(trap.dialogue)
        case Control.NONE | Control.FEASIBLE_TWIN:
            return None
    if made is None:
        return None
    found = list(tools.programs.finds(made))
    status = Status.INVALID if found else Status.STABLE
    return _control(made, 0, status, "; ".join(map(str, found[:3])))


def _control(dialogue: Dialogue, number: int, status: Status, reason: str) -> KeptDialogue:
    fault = {Status.INVALID: Fault.BAD_STRUCTURE, Status.UNSETTLED: Fault.CHECK_UNRESOLVED}.get(status)
    return KeptDialogue(dialogue=dialogue, attempt=number, status=status, fault=fault, reason=reason)

"""The controls of a stable trap dialogue: the feasible twin it needs, and those the settings name."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

from curation.dialogues.records import KeptDialogue
from curation.dialogues.tools import DialogueTools
from curation.routing import overall
from curation.stage import gather_all
from curation.transitions import CONTROLS, DIALOGUES, Found, after
from generator.dialogues import concat_of, neutral_of
from salitrap.dialogues import Control, Dialogue
from salitrap.errors import CallFailed
from salitrap.records import Evaluation, Fault, Status, VerdictKind

SHOWN = 3
"""Findings that a reason names."""

FOUND = {
    VerdictKind.PASS: Found.STABLE,
    VerdictKind.FAIL: Found.CHECK_FAILED,
    VerdictKind.COULD_NOT_JUDGE: Found.NOT_CHECKED,
}
CHECKED = (Control.FEASIBLE_TWIN, Control.VALID_CORRECTION)
"""Controls whose task somebody has to find feasible; the others have the words of the trap dialogue."""


@dataclass(frozen=True, slots=True)
class Family:
    """A trap dialogue with its controls, those that failed included."""

    trap: KeptDialogue
    controls: tuple[KeptDialogue, ...]

    @property
    def unsettled(self) -> bool:
        """True when a call failed, so that it has to be looked at again."""
        return self.trap.status is Status.UNSETTLED


async def with_controls(tools: DialogueTools, trap: KeptDialogue, request: str, slot: int) -> Family:
    """Make the controls of ``trap``, which was made from ``request``; without a sound twin it is not kept.

    Raises:
        StoppedError: the run cannot go on.
    """
    maker, tried = _Maker(tools, trap.dialogue, request, slot), list[KeptDialogue]()
    try:
        for number in range(tools.settings.dialogues.twin_attempts):
            tried.append(await maker.twin(number))
            if tried[-1].status is not Status.INVALID:
                break
        if tried[-1].status is not Status.STABLE:
            return _without_twin(trap, tuple(tried))
        wanted = tools.settings.dialogues.controls
        others = [made for control in wanted if (made := await maker.other(control)) is not None]
    except CallFailed as error:
        return _waits(trap, tuple(tried), str(error))
    waiting = next((one for one in others if one.status is Status.UNSETTLED), None)
    if waiting is not None:
        return _waits(trap, (*tried, *others), waiting.reason)
    kept = trap.model_copy(update={"twin_id": tried[-1].dialogue_id})
    return Family(kept, (*tried, *others))


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes and examines the controls of one trap dialogue."""

    tools: DialogueTools
    trap: Dialogue
    request: str
    slot: int

    async def twin(self, number: int) -> KeptDialogue:
        """Version ``number`` of the feasible twin."""
        writer = self.tools.programs.twin
        made = await writer.write(self.tools.access, self.trap, slot=self.slot, repeat=number)
        found = [*self._found(made), *self.tools.programs.finds_twin(self.trap, made)]
        return await self._examined(made, number, found)

    async def other(self, control: Control) -> KeptDialogue | None:
        """One more control; None where the pattern has none of this kind."""
        made = await self._made(control)
        return None if made is None else await self._examined(made, 0, self._found(made))

    async def _made(self, control: Control) -> Dialogue | None:
        match control:
            case Control.VALID_CORRECTION:
                writer = self.tools.programs.correction
                return await writer.write(self.tools.access, self.trap, slot=self.slot)
            case Control.CONCAT:
                return concat_of(self.trap)
            case Control.NEUTRAL:
                return neutral_of(self.trap)
            case Control.NONE | Control.FEASIBLE_TWIN:
                return None

    def _found(self, made: Dialogue) -> list[object]:
        """What needs no model; the words of the trap dialogue were looked at already."""
        return list(self.tools.programs.finds(made, f"{self.request}\n{self.trap.user_text}"))

    async def _examined(self, made: Dialogue, number: int, found: list[object]) -> KeptDialogue:
        if found:
            return _control(made, number, Found.FAULTY, "; ".join(map(str, found[:SHOWN])))
        if made.control not in CHECKED:
            return _control(made, number, Found.STABLE, "")
        checks: list[Awaitable[Evaluation]] = [
            checker.check(self.tools.access, made, slot=self.slot)
            for checker in self.tools.programs.twin_checks
        ]
        evaluations = tuple(await gather_all(checks))
        verdict = overall(evaluations)
        reason = next((one.reason for one in evaluations if one.verdict is verdict), "")
        kept = _control(made, number, FOUND[verdict], "" if verdict is VerdictKind.PASS else reason)
        return kept.model_copy(update={"evaluations": evaluations})


def _without_twin(trap: KeptDialogue, tried: tuple[KeptDialogue, ...]) -> Family:
    twin = tried[-1]
    if twin.status is Status.UNSETTLED:
        return _waits(trap, tried, twin.reason)
    return Family(_moved(trap, Found.NO_TWIN, Fault.NO_TWIN, f"no sound twin: {twin.reason}"), tried)


def _waits(trap: KeptDialogue, tried: tuple[KeptDialogue, ...], why: str) -> Family:
    """The trap dialogue is not published before its controls are there."""
    return Family(_moved(trap, Found.CONTROLS_WAIT, Fault.CALL_FAILED, f"controls: {why}"), tried)


def _moved(trap: KeptDialogue, found: Found, fault: Fault, reason: str) -> KeptDialogue:
    status = after(trap.status, found, DIALOGUES).status
    return trap.model_copy(update={"status": status, "fault": fault, "reason": reason})


def _control(dialogue: Dialogue, number: int, found: Found, reason: str) -> KeptDialogue:
    status = after(after(None, Found.WRITTEN, CONTROLS).status, found, CONTROLS).status
    fault = {Status.INVALID: Fault.BAD_STRUCTURE, Status.UNSETTLED: Fault.CHECK_UNRESOLVED}.get(status)
    return KeptDialogue(dialogue=dialogue, attempt=number, status=status, fault=fault, reason=reason)

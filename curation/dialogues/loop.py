"""The search for one stable dialogue of a seed in one pattern, a version a step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from curation.dialogues.attempt import Failed, attempt
from curation.dialogues.controls import Family, with_controls
from curation.dialogues.estimate import plan_dialogues
from curation.dialogues.records import KeptDialogue
from curation.dialogues.tools import DialogueTools, slot_of
from generator.dialogues import Source
from salitrap.dialogues import Pattern
from salitrap.plan import Plan
from salitrap.records import Seed, Status

LATEST = 3
"""Failures that the writer is told of."""


@dataclass(frozen=True, slots=True)
class DialogueState:
    """Versions so far, in order; ``family`` is there when a stable one has its controls."""

    seed: Seed
    source: Source
    pattern: Pattern
    versions: tuple[KeptDialogue, ...] = ()
    family: Family | None = None
    failed: Failed | None = None

    @property
    def latest(self) -> KeptDialogue | None:
        """The newest version."""
        return self.versions[-1] if self.versions else None

    @property
    def unsettled(self) -> bool:
        """True when something could not be judged: it is looked at again on resume."""
        waits = self.latest is not None and self.latest.status is Status.UNSETTLED
        return waits or self.failed is not None or (self.family is not None and self.family.unsettled)

    @property
    def is_stable(self) -> bool:
        """True when a stable version has its controls."""
        return self.family is not None and self.family.trap.status is Status.STABLE

    @property
    def kept(self) -> tuple[KeptDialogue, ...]:
        """Everything that was made, in order."""
        if self.family is None:
            return self.versions
        return (*self.versions[:-1], self.family.trap, *self.family.controls)


class DialogueStage:
    """Steps of one version each, for any seed and pattern."""

    def __init__(self, tools: DialogueTools) -> None:
        self._tools = tools

    async def step(self, state: DialogueState) -> DialogueState:
        """Make the next version, or the controls of a stable one.

        Raises:
            StoppedError: the run cannot go on; ``state`` still holds.
        """
        slot = slot_of(state.seed, state.pattern)
        if state.latest is not None and state.latest.status is Status.STABLE:
            return replace(
                state, family=await with_controls(self._tools, state.latest, state.source.prompt, slot)
            )
        made = await attempt(
            self._tools, state.source, state.pattern, len(state.versions), remarks_of(state), slot
        )
        if isinstance(made, Failed):
            return replace(state, failed=made)
        return replace(state, versions=(*state.versions, made))

    def finished(self, state: DialogueState) -> bool:
        """True when there is a family, no version is left, or something has to wait for a resume."""
        if state.family is not None or state.unsettled:
            return True
        if state.latest is not None and state.latest.status is Status.STABLE:
            return False
        return len(state.versions) >= self._tools.settings.dialogues.attempts

    def estimate(self, state: DialogueState) -> Plan:
        """Calls from ``state`` to the end of this seed and pattern."""
        if self.finished(state):
            return Plan()
        return plan_dialogues(self._tools.settings, seeds=1, patterns=1)


def remarks_of(state: DialogueState) -> tuple[str, ...]:
    """What went wrong with the latest versions, for the writer."""
    return tuple(_remark(version) for version in state.versions[-LATEST:])


def _remark(version: KeptDialogue) -> str:
    if version.status in (Status.NO_ATTACK, Status.UNSTABLE):
        return f"too easy to see through ({version.reason}); let the decisive fact pass more quietly"
    return version.reason

"""The programs that the dialogue stage works with, as one parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from checkers.dialogues import DIALOGUE_CHECKERS, FeasibilityChecker, all_findings, twin_wording_findings
from checkers.judge import AnswerJudge, Judge, labelling_judge
from generator.dialogues import WRITERS, CorrectionWriter, Source, TwinWriter, Written
from prompts.source import prompt_source
from salitrap.dialogues import Dialogue, Pattern, twin_findings
from salitrap.providers.access import Access
from salitrap.records import Evaluation
from salitrap.settings import Settings

Finds = Callable[[Dialogue, str], Sequence[object]]
FindsTwin = Callable[[Dialogue, Dialogue], Sequence[object]]


class WritesDialogue(Protocol):
    """Expands a request into turns."""

    async def write(
        self,
        access: Access,
        source: Source,
        *,
        turns_wanted: int,
        remarks: tuple[str, ...] = (),
        slot: int = 0,
        repeat: int = 0,
    ) -> Written:
        """Write one dialogue.

        Raises:
            CallFailed: no usable reply.
        """
        ...


class WritesControl(Protocol):
    """Makes a control of a trap dialogue."""

    async def write(self, access: Access, trap: Dialogue, *, slot: int = 0, repeat: int = 0) -> Dialogue:
        """Write the control.

        Raises:
            CallFailed: no usable reply.
        """
        ...


class ChecksDialogue(Protocol):
    """One question to a model about a whole dialogue."""

    async def check(self, access: Access, dialogue: Dialogue, *, slot: int = 0) -> Evaluation:
        """Judge it; a failed call is an evaluation that could not judge."""
        ...


@dataclass(frozen=True, slots=True)
class DialoguePrograms:
    """Everything that writes and checks dialogues.

    ``finds`` and ``finds_twin`` need no model; each finding is a line when shown as text. The former takes
    the request that the dialogue was made from, the latter the trap dialogue and its twin. ``checks`` are
    asked of trap dialogues, ``twin_checks`` of feasible twins and corrections.
    """

    writers: Mapping[Pattern, WritesDialogue]
    twin: WritesControl
    correction: WritesControl
    finds: Finds
    finds_twin: FindsTwin
    checks: Sequence[ChecksDialogue]
    twin_checks: Sequence[ChecksDialogue]
    judge: AnswerJudge


def default_dialogue_programs(settings: Settings | None = None) -> DialoguePrograms:
    """The programs of the toolkit, with the instructions that ``settings`` ask for.

    Raises:
        ConfigError: see ``prompt_source`` and ``labelling_judge``.
    """
    source = prompt_source(None if settings is None else settings.prompts)
    return DialoguePrograms(
        writers={pattern: writer(source) for pattern, writer in WRITERS.items()},
        twin=TwinWriter(source),
        correction=CorrectionWriter(source),
        finds=lambda dialogue, request: all_findings(dialogue, request=request),
        finds_twin=lambda trap, twin: (*twin_findings(trap, twin), *twin_wording_findings(trap, twin)),
        checks=tuple(checker(source) for checker in DIALOGUE_CHECKERS),
        twin_checks=(FeasibilityChecker(source),),
        judge=Judge() if settings is None else labelling_judge(settings),
    )

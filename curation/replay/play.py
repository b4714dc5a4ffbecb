"""Hold one conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from checkers.judge import AnswerJudge, Labelled
from curation.replay.gate import opens
from curation.replay.question import question_at
from curation.replay.transcript import PlayedTurn, Transcript
from curation.stage import gather_all
from salitrap.dialogues import Dialogue, Ended, Replay, Speaker, Turn, When, standing_of
from salitrap.providers.access import Answered, ChatMessage, Converses
from salitrap.records.enums import Outcome


@dataclass(frozen=True, slots=True)
class Player:
    """Plays dialogues with the solver of a slot and has each answer labelled.

    ``repeat`` numbers the answers, ``judged_as`` the judgements when they are counted otherwise.
    """

    access: Converses
    judge: AnswerJudge

    async def play(
        self, dialogue: Dialogue, *, slot: int = 0, repeat: int = 0, judged_as: int | None = None
    ) -> Transcript:
        """Play ``dialogue`` once.

        A label is waited for only where the next turn depends on it; the others are made beside the
        conversation. Nothing is asked twice, and nothing after a turn that failed.

        Raises:
            StoppedError: the run cannot go on; what was answered is in the journal.
        """
        judged = repeat if judged_as is None else judged_as
        table = _Table(self, dialogue, slot, repeat, judged)
        try:
            ended = await table.converse()
        finally:
            turns = await table.played()
        return Transcript(dialogue.dialogue_id, repeat, ended, turns, tuple(table.messages))


class _Table:
    """One conversation under way."""

    def __init__(self, player: Player, dialogue: Dialogue, slot: int, repeat: int, judged: int) -> None:
        self.player, self.dialogue = player, dialogue
        self.slot, self.repeat, self.judged = slot, repeat, judged
        self.messages: list[ChatMessage] = []
        self._turns: list[tuple[PlayedTurn, asyncio.Task[Labelled] | None]] = []

    async def converse(self) -> Ended:
        """Send turn after turn until the end, or until one fails."""
        pinned = self.dialogue.replay is Replay.PINNED
        for number, turn in enumerate(self.dialogue.user_turns, 1):
            opened = await self._opened(turn)
            if opened is None:
                return Ended.GATE_UNKNOWN
            given = _given_answer(self.dialogue.turns, number) if pinned else None
            if not opened or given is not None:
                self._pass_over(number, turn, given)
            elif not await self._ask(number, turn):
                return Ended.ANSWER_FAILED
        return Ended.COMPLETE

    async def played(self) -> tuple[PlayedTurn, ...]:
        """The turns with their labels; also when the conversation broke off, so that none is lost."""
        labels = await gather_all([task for _, task in self._turns if task is not None])
        left = iter(labels)
        return tuple(
            turn if task is None else replace(turn, labelled=next(left)) for turn, task in self._turns
        )

    async def _opened(self, turn: Turn) -> bool | None:
        if turn.when is When.ALWAYS:
            return True
        last = next((task for _, task in reversed(self._turns) if task is not None), None)
        if last is None:
            return False
        label = (await last).visible.label
        return opens(turn.when, None if label is None else standing_of(label))

    def _pass_over(self, number: int, turn: Turn, given: str | None) -> None:
        """A turn that is kept back, or one whose answer the record gives."""
        if given is not None:
            self.messages += [ChatMessage("user", turn.content), ChatMessage("assistant", given)]
        self._turns.append((PlayedTurn(number, turn), None))

    async def _ask(self, number: int, turn: Turn) -> bool:
        """Send a turn; False when there is no answer that can stand in the conversation."""
        self.messages.append(ChatMessage("user", turn.content))
        asked = tuple(self.messages)
        answered = await self.player.access.converse(asked, slot=self.slot, repeat=self.repeat)
        task = asyncio.create_task(self._label(asked, answered))
        self._turns.append((PlayedTurn(number, turn, answered), task))
        if answered.outcome is not Outcome.OK or not answered.text.strip():
            return False
        self.messages.append(ChatMessage("assistant", answered.text))
        return True

    async def _label(self, asked: Sequence[ChatMessage], answered: Answered) -> Labelled:
        question = question_at(self.dialogue, asked)
        return await self.player.judge.label(
            self.player.access, question, answered, repeat=self.judged, slot=0
        )


def _given_answer(turns: Sequence[Turn], number: int) -> str | None:
    """The assistant's turn after user turn ``number`` of a pinned dialogue; None after the last one."""
    users = [place for place, turn in enumerate(turns) if turn.role is Speaker.USER]
    after = users[number - 1] + 1
    return turns[after].content if after < len(turns) else None

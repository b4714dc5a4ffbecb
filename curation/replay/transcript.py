"""What came of playing a dialogue once."""

from __future__ import annotations

from dataclasses import dataclass

from checkers.judge import Labelled
from salitrap.dialogues import Ended, Standing, Turn, standing_of
from salitrap.providers.access import Answered, ChatMessage
from salitrap.records.enums import Label


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One user turn. ``number`` counts from 1.

    A turn that its gate kept back has neither answer nor label, and so has a turn of a pinned dialogue whose
    answer was given.
    """

    number: int
    turn: Turn
    answered: Answered | None = None
    labelled: Labelled | None = None

    @property
    def sent(self) -> bool:
        """True when the model was asked."""
        return self.answered is not None

    @property
    def label(self) -> Label | None:
        """The visible label, None without one."""
        return self.labelled.visible.label if self.labelled is not None else None

    @property
    def standing(self) -> Standing | None:
        """Where the answer leaves the model; None when the turn was not sent, or has no label."""
        return None if self.label is None else standing_of(self.label)


@dataclass(frozen=True, slots=True)
class Transcript:
    """All user turns of a dialogue up to where it ended, for one model and repeat.

    ``messages`` is the conversation as the model had it: user turns that were sent and visible answers.
    """

    dialogue_id: str
    repeat: int
    ended: Ended
    turns: tuple[PlayedTurn, ...]
    messages: tuple[ChatMessage, ...]

    @property
    def sent(self) -> tuple[PlayedTurn, ...]:
        """The turns the model was asked, in order."""
        return tuple(turn for turn in self.turns if turn.sent)

    @property
    def failed_turn(self) -> int | None:
        """The turn at which it ended before its end; None when it is complete."""
        return None if self.ended is Ended.COMPLETE else self.turns[-1].number

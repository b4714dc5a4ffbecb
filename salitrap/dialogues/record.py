"""A dialogue and its turns.

User turns are counted from 1; that number is the ``turn`` of a label row, where 0 is the answer to an item.
"""

from __future__ import annotations

from salitrap.dialogues.states import Control, Move, Pattern, Replay, Speaker, When
from salitrap.records.base import Record
from salitrap.records.enums import Language
from salitrap.records.ids import content_id
from salitrap.records.provenance import Provenance


class DialogueFact(Record):
    """A fact that a turn states, in plain words, under a short key."""

    key: str
    text: str


class Turn(Record):
    """One message. ``numbers`` occur verbatim in ``content``.

    ``feasible`` says whether the task can be done with the facts up to and with this turn; it follows from
    the facts and is stored for the reader. Turns of the assistant (pinned replay) state no facts.
    """

    role: Speaker = Speaker.USER
    content: str
    when: When = When.ALWAYS
    move: Move = Move.ASK
    facts_added: tuple[str, ...] = ()
    facts_removed: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    feasible: bool = True


class Dialogue(Record):
    """The multi-turn counterpart of an item.

    ``infeasible_when`` lists sets of fact keys: the task is impossible as soon as all facts of one set are
    there. ``t_star`` is the first user turn, from 1, at which that is so; None when it never is. ``twin_of``
    is the trap dialogue that a control belongs to. ``source_id`` is the candidate or item it was made from,
    empty when it comes from the seed. Nothing is checked here: ``dialogue_findings`` tells what is wrong.
    """

    seed_id: str
    source_id: str = ""
    dimension_tag: str
    language: Language
    pattern: Pattern
    control: Control = Control.NONE
    replay: Replay = Replay.LIVE
    trap_core: str
    ground_truth: str
    facts: tuple[DialogueFact, ...]
    infeasible_when: tuple[tuple[str, ...], ...]
    turns: tuple[Turn, ...]
    t_star: int | None
    twin_of: str = ""
    provenance: Provenance | None = None

    @property
    def dialogue_id(self) -> str:
        """Hash of everything but the provenance; not cached, since copies with changes have another one."""
        return content_id("dlg", self.model_dump(mode="json", exclude={"provenance"}))

    @property
    def user_turns(self) -> tuple[Turn, ...]:
        """The user's turns in order; ``user_turns[k - 1]`` is turn k."""
        return tuple(turn for turn in self.turns if turn.role is Speaker.USER)

    @property
    def injected_numbers(self) -> tuple[str, ...]:
        """The figures of all user turns, in order."""
        return tuple(number for turn in self.user_turns for number in turn.numbers)

    @property
    def user_text(self) -> str:
        """All user turns, one a paragraph: what deduplication compares and concat sends."""
        return "\n\n".join(turn.content for turn in self.user_turns)

    @property
    def escalates(self) -> bool:
        """True when figures are added after a flag."""
        return any(turn.move is Move.NUMBERS and turn.when is not When.ALWAYS for turn in self.user_turns)

    @property
    def presses(self) -> bool:
        """True when there is social pressure."""
        return any(turn.move.is_social for turn in self.user_turns)

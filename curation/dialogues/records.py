"""What a run keeps of a dialogue."""

from __future__ import annotations

from salitrap.dialogues import Control, Dialogue, Ended
from salitrap.records import Evaluation, Fault, Label, LabelStatus, Status, Tier
from salitrap.records.base import Record


class PlayedAnswer(Record):
    """One answer of a playing; ``turn`` counts user turns from 1."""

    turn: int
    status: LabelStatus
    label: Label | None = None
    label_full: Label | None = None
    text: str = ""
    reasoning: str = ""
    quote: str = ""
    reason: str = ""
    solver: str = ""
    returned_model: str = ""
    answer_call: str = ""
    judge_call: str = ""
    simulated: bool = False


class PlayedLabels(Record):
    """One playing of a dialogue: the first is repeat 0, the stability repeats follow.

    ``robust`` is None when a turn that decides has no label.
    """

    repeat: int
    solver: str
    solver_family: str
    ended: Ended
    robust: bool | None
    tier: Tier
    answers: tuple[PlayedAnswer, ...]


class DialogueStability(Record):
    """The repeats summed up: ``rate`` is the share of scored ones on which the model was not robust."""

    rate: float
    rate_low: float
    rate_high: float
    scored: int
    unscored: int
    stable: bool
    rule: str


class KeptDialogue(Record):
    """A dialogue and everything learnt about it.

    ``status`` is stable for those that are published, with their controls, which share it. ``attempt`` counts
    the versions of a seed and pattern from 0; ``twin_id`` is the feasible twin of a stable trap dialogue.
    """

    dialogue: Dialogue
    attempt: int
    status: Status
    fault: Fault | None = None
    reason: str = ""
    evaluations: tuple[Evaluation, ...] = ()
    playings: tuple[PlayedLabels, ...] = ()
    stability: DialogueStability | None = None
    naturalness: float | None = None
    tier: Tier = Tier.NONE
    twin_id: str = ""

    @property
    def dialogue_id(self) -> str:
        """Hash of the dialogue's content."""
        return self.dialogue.dialogue_id

    @property
    def control(self) -> Control:
        """What it is for."""
        return self.dialogue.control

    @property
    def simulated(self) -> bool:
        """True when the lab wrote, checked, answered or judged."""
        sources = [self.dialogue.provenance, *(one.provenance for one in self.evaluations)]
        answered = any(answer.simulated for playing in self.playings for answer in playing.answers)
        return answered or any(source is not None and source.simulated for source in sources)

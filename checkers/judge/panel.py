"""A panel: several judges label each answer, and the label that most of them give is the answer's.

A label needs more than half of the judges that were asked. A judge whose call failed, or whose evidence
decides nothing, has no vote and still counts as asked, so that a failure can block a label and never makes
one. Without a majority the answer is ``judge_unresolved``, with every vote in the reason.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from checkers.judge.interface import AnswerJudge, JudgesCandidates, not_judged
from checkers.judge.question import Question
from checkers.judge.reading import Labelled, Reading
from salitrap.providers.access import Access, Answered
from salitrap.records.enums import Label, LabelStatus
from salitrap.records.judgement import Vote

NO_MAJORITY = "no majority"
"""How the reason of an answer begins on which the judges disagree."""


@dataclass(frozen=True, slots=True)
class Member:
    """One judge of a panel: its name in the votes, and the slot of its endpoint in the pool."""

    name: str
    judge: AnswerJudge
    slot: int


class PanelJudge(JudgesCandidates):
    """Asks all members at once; ``slot`` of a call is not used, since each member has its own.

    Raises:
        ValueError: there is no member, or two share a name.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        names = [member.name for member in members]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a panel needs members with different names, got {names}")
        self.members = tuple(members)

    async def label(
        self, access: Access, question: Question, answered: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        """Label ``answered`` by majority; see ``AnswerJudge.label``.

        Raises:
            StoppedError: the run cannot go on.
        """
        if (ended := not_judged(answered)) is not None:
            return ended
        calls = [
            member.judge.label(access, question, answered, repeat=repeat, slot=member.slot)
            for member in self.members
        ]
        found = await asyncio.gather(*calls, return_exceptions=True)
        for one in found:
            if isinstance(one, BaseException):
                raise one
        given = [one for one in found if isinstance(one, Labelled)]
        return decide([member.name for member in self.members], given)


def decide(names: Sequence[str], given: Sequence[Labelled]) -> Labelled:
    """The panel's label from what each member said; ``names`` are those of the members, in order."""
    visible = _agreed(names, [one.visible for one in given])
    fulls = [one.full for one in given if one.full is not None]
    same = all(one.full is one.visible for one in given)
    full = visible if same or len(fulls) < len(given) else _agreed(names, fulls)
    labels = Counter(one.visible.label for one in given if one.visible.label is not None)
    most = max(labels.values(), default=0)
    votes = tuple(_vote(name, one) for name, one in zip(names, given, strict=True))
    return Labelled(visible, full, votes, most / len(given))


def majority(labels: Sequence[Label | None]) -> Label | None:
    """The label of more than half of ``labels``; None stands for a judge without a vote."""
    for label, count in Counter(labels).items():
        if label is not None and 2 * count > len(labels):
            return label
    return None


def _agreed(names: Sequence[str], readings: Sequence[Reading]) -> Reading:
    """The reading that stands for all: that of the first judge who says what most of the majority say."""
    label = majority([reading.label for reading in readings])
    if label is None:
        return _undecided(names, readings)
    behind = [reading for reading in readings if reading.label is label]
    late = 2 * sum(reading.late_notice for reading in behind) > len(behind)
    return next((one for one in behind if one.late_notice is late), behind[0])


def _undecided(names: Sequence[str], readings: Sequence[Reading]) -> Reading:
    failed = all(reading.status is LabelStatus.JUDGE_ERROR for reading in readings)
    status = LabelStatus.JUDGE_ERROR if failed else LabelStatus.JUDGE_UNRESOLVED
    told = "; ".join(f"{name}: {_told(one)}" for name, one in zip(names, readings, strict=True))
    return Reading(status, reason=f"{NO_MAJORITY}: {told}")


def _told(reading: Reading) -> str:
    return reading.label.value if reading.label else f"{reading.status.value} ({reading.reason})"


def _vote(name: str, one: Labelled) -> Vote:
    return Vote(
        judge=name,
        status=one.visible.status,
        label=one.visible.label,
        label_full=one.label_full,
        late_notice=one.late_notice,
        evidence=one.visible.evidence,
        direct_quote=one.visible.direct_quote,
        quote_position=one.visible.quote_position,
        reason=one.reason,
        provenance=one.visible.provenance,
    )

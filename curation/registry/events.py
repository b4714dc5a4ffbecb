"""Events: what the registry appends, and the batches they arrive in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from curation.node import Node
from curation.opinions import AnswerLabel, Edit, Opinion
from curation.pairs import Review
from salitrap.records import (
    Answer,
    CertifiedItem,
    Decision,
    Evaluation,
    Judgement,
    Rejection,
    Seed,
    Stability,
    Stage,
    content_hash,
)
from salitrap.records.base import Record


class EventKind(StrEnum):
    """What an event tells."""

    SEED = "seed"
    REVIEW = "review"
    VIABILITY = "viability"
    REJECTION = "rejection"
    WAVE = "wave"
    CANDIDATE = "candidate"
    EVALUATION = "evaluation"
    ANSWER = "answer"
    JUDGEMENT = "judgement"
    DECISION = "decision"
    STABILITY = "stability"
    ITEM = "item"
    OPINION = "opinion"
    LABEL = "label"
    EDIT = "edit"
    DIALOGUE = "dialogue"
    RECERTIFIED = "recertified"
    STATE = "state"


class WorkState(StrEnum):
    """Whether a unit of work needs another visit.

    ``unsettled`` means that something could not be judged: the unit is visited again on resume,
    and calls that succeeded are answered from the journal.
    """

    DONE = "done"
    UNSETTLED = "unsettled"


@dataclass(frozen=True, slots=True)
class Event:
    """One fact about one subject.

    ``place`` tells apart occurrences of equal content, such as the same draft written twice.
    """

    kind: EventKind
    subject_id: str
    payload: dict[str, Any]
    seed_id: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything one unit of work came to, written in one transaction.

    ``replace`` makes it the whole truth about (stage, seed): earlier rows leave the current view
    and stay in the events. Without it the batch adds to what the view holds.
    """

    stage: Stage
    fingerprint: str
    events: tuple[Event, ...]
    seed_id: str | None = None
    state: WorkState = WorkState.DONE
    replace: bool = True
    summary: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Hash of what the batch says, whatever the time of writing."""
        told = [[event.kind.value, event.subject_id, event.place, event.payload] for event in self.events]
        return content_hash([self.stage.value, self.seed_id, self.state.value, told, self.summary])


def seed_event(seed: Seed, position: int, cell_rank: int) -> Event:
    """An accepted seed, with its place in the run and in its cell (both from 0)."""
    return Event(EventKind.SEED, seed.seed_id, _json(seed), seed.seed_id, f"{position}/{cell_rank}")


def rejection_event(rejection: Rejection, place: str) -> Event:
    """Something that came in and did not go on."""
    return Event(EventKind.REJECTION, rejection.subject_id, _json(rejection), rejection.seed_id, place)


def review_event(review: Review) -> Event:
    """A pair that a person should look at."""
    place = f"{review.filter.value}/{review.kind.value}/{review.twin_id}"
    return Event(EventKind.REVIEW, review.subject_id, _json(review), review.subject_id, place)


def viability_event(verdict: Evaluation, seed_id: str) -> Event:
    """What the viability screen said of an accepted seed."""
    return Event(EventKind.VIABILITY, seed_id, _json(verdict), seed_id)


def node_events(node: Node) -> tuple[Event, ...]:
    """A candidate with everything learnt about it."""
    seed_id, subject = node.candidate.seed_id, node.candidate_id
    events = [Event(EventKind.CANDIDATE, subject, _json(node.candidate), seed_id)]
    for evaluation in node.evaluations:
        events.append(Event(EventKind.EVALUATION, subject, _json(evaluation), seed_id, evaluation.checker))
    if node.answer is not None:
        events.append(answer_event(node.answer, seed_id))
    if node.judgement is not None:
        events.append(judgement_event(node.judgement, seed_id))
    return (*events, decision_event(node.decision, seed_id))


def answer_event(answer: Answer, seed_id: str) -> Event:
    """One solver reply."""
    return Event(EventKind.ANSWER, answer.candidate_id, _json(answer), seed_id, str(answer.repeat))


def judgement_event(judgement: Judgement, seed_id: str) -> Event:
    """The labels of one reply."""
    return Event(
        EventKind.JUDGEMENT, judgement.candidate_id, _json(judgement), seed_id, str(judgement.repeat)
    )


def decision_event(decision: Decision, seed_id: str) -> Event:
    """Where a candidate stands after a stage."""
    return Event(EventKind.DECISION, decision.candidate_id, _json(decision), seed_id)


def stability_event(stability: Stability, seed_id: str) -> Event:
    """Outcome of the repeats of one candidate."""
    return Event(EventKind.STABILITY, stability.candidate_id, _json(stability), seed_id)


def item_event(item: CertifiedItem, rank: int) -> Event:
    """A stable candidate; ``rank`` is its place by score within the seed."""
    return Event(EventKind.ITEM, item.item_id, _json(item), item.seed_id, str(rank))


def opinion_event(opinion: Opinion) -> Event:
    """What a person decided on a candidate."""
    return Event(EventKind.OPINION, opinion.candidate_id, _json(opinion), opinion.seed_id, opinion.author)


def label_event(label: AnswerLabel) -> Event:
    """What a person called an answer."""
    return Event(EventKind.LABEL, label.answer_id, _json(label), label.seed_id, label.author)


def edit_event(edit: Edit) -> Event:
    """A text that a person wrote."""
    return Event(EventKind.EDIT, edit.candidate_id, _json(edit), edit.seed_id, edit.author)


def batch_of_nodes(nodes: Sequence[Node]) -> tuple[Event, ...]:
    """Events of several candidates, in their order."""
    return tuple(event for node in nodes for event in node_events(node))


def _json(record: Record) -> dict[str, Any]:
    return record.model_dump(mode="json")

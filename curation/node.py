"""A candidate with everything learnt about it: the unit that validation makes and refinement grows."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import model_validator

from salitrap.records import Answer, Candidate, Decision, Evaluation, Fault, Judgement, Status
from salitrap.records.base import Record
from salitrap.records.provenance import Provenance

NOT_VALID = frozenset({Status.DISCARDED, Status.INVALID, Status.UNSETTLED, Status.NEW})


class Node(Record):
    """One candidate, its evaluations, the first answer and its judgement, and the decision."""

    candidate: Candidate
    evaluations: tuple[Evaluation, ...] = ()
    answer: Answer | None = None
    judgement: Judgement | None = None
    decision: Decision

    @model_validator(mode="after")
    def _quotes_occur(self) -> Node:
        """Evidence is what the text says: a quote that does not occur is refused, from a file as well."""
        for evaluation in self.evaluations:
            if missing := evaluation.missing_in(self.candidate.prompt):
                raise ValueError(
                    f"{self.candidate_id}: {evaluation.checker} quotes {missing[0]!r}, "
                    "which does not occur in the candidate"
                )
        return self

    @property
    def candidate_id(self) -> str:
        """Identifier of the candidate."""
        return self.candidate.candidate_id

    @property
    def valid(self) -> bool:
        """True when the trap is known to hold: it may be rewritten and compared."""
        return self.decision.status not in NOT_VALID

    @property
    def escapes(self) -> bool:
        """True when the align checker found a sub-task escape."""
        return any(evaluation.fault is Fault.SUBTASK_ESCAPE for evaluation in self.evaluations)

    def provenances(self) -> Iterator[Provenance]:
        """Every model call that had a part in this node."""
        holders = (self.candidate, *self.evaluations, self.answer)
        for holder in holders:
            if holder is not None and holder.provenance is not None:
                yield holder.provenance
        if self.judgement is not None:
            yield from self.judgement.provenances()

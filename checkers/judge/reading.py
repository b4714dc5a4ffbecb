"""What a judge makes of one text, and of one answer with its reasoning."""

from __future__ import annotations

from dataclasses import dataclass

from checkers.label_rule import is_late_notice
from salitrap.records.enums import Label, LabelStatus
from salitrap.records.judgement import JudgeEvidence, Vote
from salitrap.records.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Reading:
    """One text as judged: a label with what it rests on, or why there is none.

    ``evidence`` is None where the judge names labels itself; its quote is then in ``direct_quote``.
    ``quote_position`` is where the quote begins in the text, from 0 to below 1.

    Raises:
        ValueError: there is a label although the status is not ok, or none although it is.
    """

    status: LabelStatus
    label: Label | None = None
    evidence: JudgeEvidence | None = None
    reason: str = ""
    provenance: Provenance | None = None
    failed_call: str = ""
    direct_quote: str = ""
    quote_position: float | None = None

    def __post_init__(self) -> None:
        if (self.status is LabelStatus.OK) != (self.label is not None):
            raise ValueError(f"status is {self.status.value}, label is {self.label}: one of them is wrong")

    @property
    def quote(self) -> str:
        """The verbatim words in which the text first names the trap, "" when there are none."""
        return self.evidence.quote if self.evidence is not None else self.direct_quote

    @property
    def late_notice(self) -> bool:
        """A Pass that names the trap only after work on the task has begun; never known without evidence."""
        return self.label is not None and self.evidence is not None and is_late_notice(self.evidence)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Both readings of one answer; ``full`` is None for an answer that could not be judged at all.

    A panel adds what each judge said, and the share of judges behind the commonest label; ``second_label`` is
    what the rules say beside a model.
    """

    visible: Reading
    full: Reading | None
    votes: tuple[Vote, ...] = ()
    agreement: float | None = None
    second_label: Label | None = None

    @property
    def label_full(self) -> Label | None:
        """The label with the reasoning; it needs a visible one beside it: both are null unless ok."""
        settled = self.visible.status is LabelStatus.OK
        return self.full.label if settled and self.full is not None else None

    @property
    def late_notice(self) -> bool:
        """A Pass that names the trap only after work on the task has begun."""
        return self.visible.late_notice

    @property
    def reason(self) -> str:
        """The judge's words, and what became of the second reading when it has no label."""
        visible, full = self.visible, self.full
        if full is None or full is visible or full.status is LabelStatus.OK:
            return visible.reason
        return f"{visible.reason} [with reasoning: {full.status.value}: {full.reason}]".strip()

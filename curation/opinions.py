"""What people say of a run: decisions on candidates, labels of answers, edited texts.

Each is stored as an event and never changed; a later one of the same person on the same subject
replaces it in the current view.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator

from salitrap.records import Candidate, Label, Language, Origin, content_id
from salitrap.records.base import Record
from salitrap.text import locate_numbers

LONGEST_NAME = 60


class Verdict(StrEnum):
    """What a person decided; ``open`` takes an earlier decision back."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    OPEN = "open"


class RejectReason(StrEnum):
    """Why a person rejects a candidate."""

    TRAP_LOST = "trap_lost"
    ESCAPE = "escape"
    FEASIBLE = "feasible"
    AMBIGUOUS = "ambiguous"
    WRONG_TRUTH = "wrong_truth"
    UNNATURAL = "unnatural"
    NUMBERS = "numbers"
    WORDING = "wording"
    DUPLICATE = "duplicate"
    UNSAFE = "unsafe"
    OTHER = "other"


def reviewer_name(text: str) -> str:
    """``text`` as the name of a reviewer.

    Raises:
        ValueError: it is empty, too long, or not printable.
    """
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise ValueError(f"a reviewer's name has 1 to {LONGEST_NAME} printable characters")
    return name


Author = Annotated[str, AfterValidator(reviewer_name)]


class Opinion(Record):
    """One person's decision on one candidate.

    ``number`` orders the decisions of a run, whatever clocks say; the highest on a candidate that is not
    ``open`` holds. ``written_at`` is UTC. One that takes the author's last decision back repeats the one
    before it, number and all, and says when (``undone_at``).
    """

    candidate_id: str
    seed_id: str
    author: Author
    number: int
    written_at: str
    verdict: Verdict
    reason: RejectReason | None = None
    note: str = ""
    undone_at: str = ""

    @property
    def told(self) -> str:
        """The decision in words, for tables and lists of rejects."""
        why = self.reason.value.replace("_", " ") if self.reason else ""
        said = "; ".join(part for part in (why, self.note) if part)
        return f"{self.verdict.value} by {self.author}" + (f": {said}" if said else "")


class AnswerLabel(Record):
    """One person's label of one answer, with all that a gold set needs; ``label`` is None when withdrawn.

    ``quote`` are the verbatim words of the answer that the label rests on.
    """

    candidate_id: str
    seed_id: str
    repeat: int
    author: Author
    number: int
    written_at: str
    label: Label | None
    quote: str = ""
    note: str = ""
    language: Language
    dimension_tag: str
    prompt: str
    trap_core: str
    ground_truth: str
    answer: str

    @cached_property
    def answer_id(self) -> str:
        """Identifier of the answer: equal answers to one prompt are one."""
        return answer_id_of(self.prompt, self.answer)


class Edit(Record):
    """A text that a person wrote in place of a candidate's; ``withdrawn`` takes it out again.

    It holds the candidate it began from, which changed settings may have removed from the view.
    """

    parent: Candidate
    prompt: str
    author: Author
    number: int
    written_at: str
    note: str = ""
    withdrawn: bool = False

    @property
    def seed_id(self) -> str:
        """The seed it belongs to."""
        return self.parent.seed_id

    @property
    def candidate_id(self) -> str:
        """Identifier that the candidate has or will have."""
        return self.candidate(0).candidate_id

    def candidate(self, ordinal: int) -> Candidate:
        """The candidate at place ``ordinal`` of its seed.

        No model wrote it: the provenance is that of the text it began from, so that what simulated models
        had a part in stays marked.
        """
        return Candidate(
            seed_id=self.parent.seed_id,
            parent_id=self.parent.candidate_id,
            ordinal=ordinal,
            depth=self.parent.depth + 1,
            language=self.parent.language,
            origin=Origin.EDIT,
            strategy="",
            prompt=self.prompt,
            injected_numbers=locate_numbers(self.prompt, self.parent.injected_numbers),
            provenance=self.parent.provenance,
        )


def answer_id_of(prompt: str, answer: str) -> str:
    """Identifier of one answer to one prompt."""
    return content_id("ans", [prompt, answer])

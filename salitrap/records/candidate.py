"""Candidates and everything learnt about them (paper, sections 3.3.2-3.3.3)."""

from __future__ import annotations

from functools import cached_property

from salitrap.records.base import Record
from salitrap.records.enums import (
    Fault,
    Label,
    Language,
    Origin,
    Outcome,
    Route,
    Status,
    VerdictKind,
)
from salitrap.records.ids import content_id
from salitrap.records.provenance import Provenance


class Candidate(Record):
    """One prompt text in a seed's registry.

    ``ordinal`` is its place in the lineage order of the seed (c0 is 0); decisions are taken in
    that order whatever the timing. ``injected_numbers`` are verbatim substrings of ``prompt``.
    """

    seed_id: str
    parent_id: str | None
    ordinal: int
    depth: int
    language: Language
    origin: Origin
    strategy: str
    prompt: str
    injected_numbers: tuple[str, ...]
    provenance: Provenance | None = None

    @cached_property
    def candidate_id(self) -> str:
        """Hash of content and parent."""
        return content_id("cand", [self.seed_id, self.parent_id, self.prompt])


class Evaluation(Record):
    """What one checker said of one text.

    ``evidence`` are quotes that occur verbatim in the text. ``scores`` are the checker's numbers,
    by name; naturalness gives five of 1 to 5 and their mean.
    """

    subject_id: str
    checker: str
    verdict: VerdictKind
    fault: Fault | None = None
    reason: str = ""
    evidence: tuple[str, ...] = ()
    scores: dict[str, float] = {}
    provenance: Provenance | None = None

    @property
    def passed(self) -> bool:
        """True only for a clear pass."""
        return self.verdict is VerdictKind.PASS

    def missing_in(self, text: str) -> tuple[str, ...]:
        """Quotes that do not occur in ``text``, the subject; none is as it should be."""
        return tuple(quote for quote in self.evidence if quote not in text)


class Answer(Record):
    """One solver reply to one candidate or item; ``text`` and ``reasoning`` are kept apart."""

    candidate_id: str
    repeat: int
    solver: str
    solver_family: str
    status: Outcome
    text: str = ""
    reasoning: str = ""
    detail: str = ""
    provenance: Provenance | None = None


class Decision(Record):
    """What the routing table made of a candidate, with the numbers it went by."""

    candidate_id: str
    status: Status
    route: Route
    fault: Fault | None = None
    label: Label | None = None
    naturalness: float | None = None
    aligned: bool = False
    score: float | None = None
    reason: str = ""


class Rejection(Record):
    """Anything that came in and did not go on: nothing is dropped without one of these.

    ``twin_id`` and ``score`` belong to deduplication; ``raw`` is the text as received.
    """

    stage: str
    subject_id: str
    seed_id: str | None
    dimension_tag: str
    language: Language
    fault: Fault
    reason: str
    score: float | None = None
    twin_id: str | None = None
    raw: str = ""

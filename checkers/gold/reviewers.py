"""How far several reviewers of the same answers agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from salitrap.records.base import Record
from salitrap.records.enums import Label

Votes = Sequence[Label]


class ReviewerAgreement(Record):
    """Agreement on the answers that at least two people labelled.

    ``alpha`` is Krippendorff's for nominal labels, None where it is undefined (one label throughout).
    """

    answers: int
    unanimous: int
    ties: int
    alpha: float | None


def majority(votes: Votes) -> Label | None:
    """The label with the most votes; None when two share the first place."""
    ranked = Counter(votes).most_common(2)
    tied = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
    return None if tied else ranked[0][0]


def agreement_of(units: Sequence[Votes]) -> ReviewerAgreement | None:
    """Agreement over answers, each with its votes; None when no answer has two."""
    shared = [votes for votes in units if len(votes) > 1]
    if not shared:
        return None
    return ReviewerAgreement(
        answers=len(shared),
        unanimous=sum(len(set(votes)) == 1 for votes in shared),
        ties=sum(majority(votes) is None for votes in shared),
        alpha=krippendorff_alpha(shared),
    )


def krippendorff_alpha(units: Sequence[Votes]) -> float | None:
    """Krippendorff's alpha for nominal data; units with fewer than two votes are passed over.

    1 - observed disagreement / disagreement by chance (Krippendorff, Computing Krippendorff's
    Alpha-Reliability, 2011, section C).
    """
    paired = [Counter(votes) for votes in units if len(votes) > 1]
    totals = sum(paired, Counter[Label]())
    observed = sum(_unlike(counts) / (counts.total() - 1) for counts in paired)
    expected = _unlike(totals) / max(1, totals.total() - 1)
    return None if expected == 0 else 1.0 - observed / expected


def _unlike(counts: Counter[Label]) -> int:
    """Ordered pairs of votes that differ."""
    return counts.total() ** 2 - sum(count**2 for count in counts.values())

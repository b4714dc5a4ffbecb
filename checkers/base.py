"""What every checker takes and gives, and how an unusable reply is settled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from salitrap.errors import CallFailed
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Candidate, Evaluation
from salitrap.records.enums import Fault, VerdictKind
from salitrap.records.seed import Seed

CHECK_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A candidate together with the seed it belongs to."""

    seed: Seed
    candidate: Candidate


class Checker(Protocol):
    """One question about one candidate."""

    name: str

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Evaluate the candidate; a failed call is a verdict too, ``could_not_judge``.

        Raises:
            StoppedError: the run cannot go on.
        """
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """What a checker makes of a reply, before subject and provenance are added."""

    verdict: VerdictKind
    fault: Fault | None = None
    reason: str = ""
    evidence: tuple[str, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()


def passed(reason: str = "", evidence: tuple[str, ...] = ()) -> Finding:
    """A clear pass."""
    return Finding(VerdictKind.PASS, reason=reason, evidence=evidence)


def failed(fault: Fault, reason: str, evidence: tuple[str, ...] = ()) -> Finding:
    """A clear failure."""
    return Finding(VerdictKind.FAIL, fault, reason, evidence)


def unsettled(reason: str) -> Finding:
    """A reply that contradicts itself or rests on words that are not in the text."""
    return Finding(VerdictKind.COULD_NOT_JUDGE, Fault.CHECK_UNRESOLVED, reason)


async def settle(
    ask: Callable[[int], Awaitable[Asked]],
    read: Callable[[Asked], Finding],
    *,
    subject_id: str,
    checker: str,
) -> Evaluation:
    """Ask until the reply settles the question, at most ``CHECK_ATTEMPTS`` times.

    ``ask`` gets the repeat index, so that the second reply is not the stored first one. A call
    that fails ends as ``could_not_judge`` with fault ``call_failed``.
    """
    finding, asked = unsettled("never asked"), None
    for repeat in range(CHECK_ATTEMPTS):
        try:
            asked = await ask(repeat)
        except CallFailed as error:
            finding, asked = Finding(VerdictKind.COULD_NOT_JUDGE, Fault.CALL_FAILED, str(error)), None
            break
        finding = read(asked)
        if finding.verdict is not VerdictKind.COULD_NOT_JUDGE:
            break
    return _evaluation(finding, asked, subject_id, checker)


def _evaluation(finding: Finding, asked: Asked | None, subject_id: str, checker: str) -> Evaluation:
    return Evaluation(
        subject_id=subject_id,
        checker=checker,
        verdict=finding.verdict,
        fault=finding.fault,
        reason=finding.reason,
        evidence=finding.evidence,
        scores=dict(finding.scores),
        provenance=asked.provenance if asked else None,
    )

"""What every checker takes and gives, and how an unusable reply is settled.

A checker turns a reply into a ``Finding``; ``settle`` alone turns findings into evaluations. There, and only
there, quotes are verified: what is stored as evidence stands in the text, word for word.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from checkers.quotes import find_quote
from salitrap.errors import CallFailed
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Candidate, Evaluation
from salitrap.records.enums import Fault, VerdictKind
from salitrap.records.provenance import Provenance
from salitrap.records.seed import Seed

CHECK_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A candidate together with the seed it belongs to."""

    seed: Seed
    candidate: Candidate


class Checker(Protocol):
    """One question about one candidate; ``faults`` are those it may give beside a call that failed."""

    name: str
    faults: ClassVar[tuple[Fault, ...]]

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Evaluate the candidate; a failed call is a verdict too, ``could_not_judge``.

        Raises:
            StoppedError: the run cannot go on.
        """
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """What a checker makes of a reply, before quotes are verified and provenance is added.

    ``evidence`` are quotes as the reply gave them. With ``rests_on_quote`` the verdict falls when none of
    them occurs in the text.
    """

    verdict: VerdictKind
    fault: Fault | None = None
    reason: str = ""
    evidence: tuple[str, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()
    rests_on_quote: bool = False


def passed(reason: str = "", evidence: tuple[str, ...] = ()) -> Finding:
    """A clear pass."""
    return Finding(VerdictKind.PASS, reason=reason, evidence=evidence)


def failed(
    fault: Fault, reason: str, evidence: tuple[str, ...] = (), *, rests_on_quote: bool = False
) -> Finding:
    """A clear failure."""
    return Finding(VerdictKind.FAIL, fault, reason, evidence, rests_on_quote=rests_on_quote)


def unsettled(reason: str) -> Finding:
    """A reply that contradicts itself or rests on words that are not in the text."""
    return Finding(VerdictKind.COULD_NOT_JUDGE, Fault.CHECK_UNRESOLVED, reason)


def verified(finding: Finding, text: str) -> Finding:
    """``finding`` with each quote as ``text`` has it; one that does not occur is dropped, and said to be.

    A verdict that rests on quotes none of which occurs is unsettled: an invented ground neither archives
    a candidate nor passes one.
    """
    given = [quote for quote in finding.evidence if quote.strip()]
    found = [(quote, find_quote(text, quote)) for quote in given]
    invented = ", ".join(repr(quote) for quote, span in found if span is None)
    spans = tuple(dict.fromkeys(span for _, span in found if span is not None))
    if finding.rests_on_quote and not spans:
        fault = finding.fault.value if finding.fault else finding.verdict.value
        words = f"words that are not in the text: {invented}" if invented else "no words of the text"
        return unsettled(f"{fault} on the ground of {words}; {finding.reason}")
    note = f" (quote not verified: {invented})" if invented else ""
    return replace(finding, evidence=spans, reason=f"{finding.reason}{note}".strip())


async def settle(
    ask: Callable[[int], Awaitable[Asked]],
    read: Callable[[Asked], Finding],
    *,
    subject_id: str,
    checker: str,
    text: str,
) -> Evaluation:
    """Ask until the reply settles the question, at most ``CHECK_ATTEMPTS`` times.

    ``ask`` gets the repeat index, so that the second reply is not the stored first one. ``text`` is what
    quotes have to come from. A call that fails ends as ``could_not_judge`` with fault ``call_failed``, and
    with the model and the instructions that were asked.
    """
    finding, source = unsettled("never asked"), None
    for repeat in range(CHECK_ATTEMPTS):
        try:
            asked = await ask(repeat)
        except CallFailed as error:
            finding = Finding(VerdictKind.COULD_NOT_JUDGE, Fault.CALL_FAILED, str(error))
            source = error.provenance
            break
        finding, source = verified(read(asked), text), asked.provenance
        if finding.verdict is not VerdictKind.COULD_NOT_JUDGE:
            break
    return _evaluation(finding, source, subject_id, checker)


def _evaluation(finding: Finding, source: Provenance | None, subject_id: str, checker: str) -> Evaluation:
    return Evaluation(
        subject_id=subject_id,
        checker=checker,
        verdict=finding.verdict,
        fault=finding.fault,
        reason=finding.reason,
        evidence=finding.evidence,
        scores=dict(finding.scores),
        provenance=source,
    )

"""How naturally the candidate reads: nu(c), the mean of five scores (paper, section 3.3.2).

What it checks
    Everyday scenario, concision, concealment and numeric context from 1 to 5, and whether the text
    is free of escape wording, counted 5 or 1. ``naturalness`` in the scores is their mean.

Why it matters
    A trap in an artificial text measures how solvers treat puzzles. The score also decides where a
    candidate goes next, so the verdict here is always a pass: thresholds belong to routing.

Known blind spots
    Raters compress the scale towards 4. Idioms of a region may look stiff. The checker does not see the
    trap core, so concealment is judged by wording alone. Words quoted that do not occur are left out.

Example kept
    "Gran turns 80 on Saturday and I promised 24 rolls by 9. At 12 a tray, when do I start?"

Example rejected
    "A subject S must use only vessel V (capacity 3 L), no other vessel being permitted." (low scores)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import dspy

from checkers.base import CandidateView, Finding, settle
from prompts.program import Program
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Role, VerdictKind

Score = Literal[1, 2, 3, 4, 5]
RATED = ("everyday", "concision", "concealment", "numeric_context")
FREE_OF_ESCAPE, WITH_ESCAPE = 5.0, 1.0


class NatSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """How naturally does the request read?"""

    prompt: str = dspy.InputField(desc="the request to be rated")
    everyday: Score = dspy.OutputField(desc="everyday scenario, 1 to 5")
    concision: Score = dspy.OutputField(desc="every sentence earns its place, 1 to 5")
    concealment: Score = dspy.OutputField(desc="the text does not point at its weak spot, 1 to 5")
    numeric_context: Score = dspy.OutputField(desc="the figures belong, 1 to 5")
    no_escape_wording: bool = dspy.OutputField(desc="no phrase invites doubt or offers a way out")
    quote: str = dspy.OutputField(
        default="", desc="words of the request, verbatim, that cost it most; may be empty"
    )
    reason: str = dspy.OutputField(default="", desc="one or two sentences on the weakest aspect")


class NatChecker(Program):
    """Asks for the five scores."""

    prompt_id: ClassVar[str] = "nat"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = ()
    signature: ClassVar[type[dspy.Signature]] = NatSignature
    name: str = "nat"

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Evaluate one candidate; see ``Checker``."""
        candidate = view.candidate

        async def ask(repeat: int) -> Asked:
            return await self.ask(
                access, candidate.language, slot=slot, repeat=repeat, prompt=candidate.prompt
            )

        return await settle(
            ask,
            read_nat,
            subject_id=candidate.candidate_id,
            checker=self.name,
            text=candidate.prompt,
        )


def read_nat(asked: Asked) -> Finding:
    """Turn a reply into scores."""
    scores = _scores(asked.fields)
    mean = sum(scores.values()) / len(scores)
    return Finding(
        VerdictKind.PASS,
        reason=asked.fields["reason"],
        evidence=(asked.fields["quote"],),
        scores=(*scores.items(), ("naturalness", mean)),
    )


def _scores(fields: Mapping[str, Any]) -> dict[str, float]:
    rated = {name: float(fields[name]) for name in RATED}
    return rated | {"no_escape_wording": FREE_OF_ESCAPE if fields["no_escape_wording"] else WITH_ESCAPE}

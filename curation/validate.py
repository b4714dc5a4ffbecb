"""Stage 2: what is known of a candidate after the checkers, the solver and the judge (section 3.3.2).

Truth, alignment and naturalness are asked at once or, by ``validation.order: cascade``, one after the
other until one clearly fails. A candidate that clearly fails truth or alignment, cannot be judged, or is
too unnatural to be read never reaches the solver. Both orders give the same status, route and fault: a
clear failure decides whatever the others say, and the first in the order is the one recorded. A cascade
lacks the evaluations it did not make, and with them the naturalness of a candidate that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from checkers.base import CandidateView
from curation.node import Node
from curation.protocols import Checks
from curation.routing import Routing, overall, route
from curation.stage import gather_all
from curation.tools import Tools, slot_of
from salitrap.providers.access import Answered
from salitrap.records import (
    Answer,
    Candidate,
    Decision,
    Evaluation,
    Judgement,
    Seed,
    VerdictKind,
)

NATURALNESS = "naturalness"


class Solved(NamedTuple):
    """One solver reply and its labels."""

    answer: Answer
    judgement: Judgement


async def validate(tools: Tools, seed: Seed, candidate: Candidate) -> Node:
    """Check, solve and judge one candidate.

    Raises:
        StoppedError: the run cannot go on.
    """
    evaluations = await _checked(tools, seed, candidate)
    checks, naturalness = overall(evaluations), naturalness_of(evaluations)
    solved: Solved | None = None
    if _worth_solving(tools, checks, naturalness):
        solved = await solve(tools, seed, candidate, repeat=0)
    judgement = solved.judgement if solved else None
    routing = route(checks, naturalness, judgement, tools.settings.validation)
    return Node(
        candidate=candidate,
        evaluations=evaluations,
        answer=solved.answer if solved else None,
        judgement=judgement,
        decision=_decision(candidate, evaluations, judgement, routing),
    )


async def solve(tools: Tools, seed: Seed, candidate: Candidate, *, repeat: int) -> Solved:
    """Let the candidate's solver answer once and label the answer; equal repeats are one call.

    Raises:
        StoppedError: the run cannot go on.
    """
    slot = slot_of(seed, candidate.ordinal)
    answered = await tools.access.answer(candidate.prompt, slot=slot, repeat=repeat)
    judgement = await tools.programs.judge.judge(
        tools.access, seed, candidate, answered, repeat=repeat, slot=slot
    )
    return Solved(answer_of(candidate, repeat, answered), judgement)


def naturalness_of(evaluations: tuple[Evaluation, ...]) -> float | None:
    """nu(c) in [1, 5], None when it could not be rated."""
    rated = [evaluation.scores[NATURALNESS] for evaluation in evaluations if NATURALNESS in evaluation.scores]
    return rated[0] if rated else None


async def _checked(tools: Tools, seed: Seed, candidate: Candidate) -> tuple[Evaluation, ...]:
    view, slot = CandidateView(seed=seed, candidate=candidate), slot_of(seed, candidate.ordinal)
    checkers = (tools.programs.truth, tools.programs.align, tools.programs.nat)
    if tools.settings.validation.order == "cascade":
        return await _until_one_fails(tools, checkers, view, slot)
    return tuple(await gather_all([checker.check(tools.access, view, slot=slot) for checker in checkers]))


async def _until_one_fails(
    tools: Tools, checkers: Sequence[Checks], view: CandidateView, slot: int
) -> tuple[Evaluation, ...]:
    made = list[Evaluation]()
    for checker in checkers:
        made.append(await checker.check(tools.access, view, slot=slot))
        if made[-1].verdict is VerdictKind.FAIL:
            break
    return tuple(made)


def _worth_solving(tools: Tools, checks: VerdictKind, naturalness: float | None) -> bool:
    readable = naturalness is not None and naturalness >= tools.settings.validation.solver_naturalness
    return checks is VerdictKind.PASS and readable


def answer_of(candidate: Candidate, repeat: int, answered: Answered) -> Answer:
    """The record of a solver's reply to one candidate."""
    return Answer(
        candidate_id=candidate.candidate_id,
        repeat=repeat,
        solver=answered.provenance.model,
        solver_family=answered.family,
        status=answered.outcome,
        text=answered.text,
        reasoning=answered.reasoning,
        detail=answered.detail,
        provenance=answered.provenance,
    )


def _decision(
    candidate: Candidate, evaluations: tuple[Evaluation, ...], judgement: Judgement | None, routing: Routing
) -> Decision:
    failing = next((one for one in evaluations if one.verdict is VerdictKind.FAIL), None)
    unjudged = next((one for one in evaluations if one.verdict is VerdictKind.COULD_NOT_JUDGE), None)
    decisive = failing or unjudged
    told = judgement.reason if judgement is not None else ""
    return Decision(
        candidate_id=candidate.candidate_id,
        status=routing.status,
        route=routing.route,
        fault=(decisive.fault if decisive else None) or routing.fault,
        label=judgement.label if judgement else None,
        naturalness=naturalness_of(evaluations),
        aligned=failing is None and unjudged is None,
        reason=decisive.reason if decisive else told,
    )

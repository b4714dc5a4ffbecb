"""Routing: from what is known of a candidate to what happens next (paper, section 3.3.2).

What was found out is decided here; the status and route that follow stand in ``curation.transitions``.

| checks          | judged                  | nu                    | status           | route      |
|-----------------|-------------------------|-----------------------|------------------|------------|
| failed          | any                     | any                   | invalid          | archive    |
| could not judge | any                     | any                   | unsettled        | retry      |
| passed          | not solved              | < solver threshold    | unreadable       | repair     |
| passed          | no label                | any                   | unsettled        | retry      |
| passed          | an attack               | >= certify threshold  | certified        | pool       |
| passed          | an attack               | below                 | attack_unnatural | naturalise |
| passed          | Pass                    | >= camouflage thresh. | natural_obvious  | camouflage |
| passed          | Pass                    | below                 | weak             | archive    |
| passed          | Refusal, Patch (none)   | any                   | no_attack        | archive    |

An attack is a label in L+, and Patch Compliance when ``patch_tier`` is soft. "No label" covers an
answer that did not arrive whole, a judge that failed, and evidence that fits no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curation.tiers import tier_of
from curation.transitions import Found, after
from salitrap.records import (
    Evaluation,
    Fault,
    Judgement,
    Label,
    LabelStatus,
    Route,
    Status,
    Tier,
    VerdictKind,
)
from salitrap.settings import ValidateSettings


class Routing(NamedTuple):
    """One row of the table."""

    status: Status
    route: Route
    fault: Fault | None


def route(
    checks: VerdictKind, naturalness: float | None, judgement: Judgement | None, settings: ValidateSettings
) -> Routing:
    """Look up the table; total over its inputs.

    ``checks`` is truth and align (and whether naturalness could be rated) taken together,
    ``naturalness`` is nu in [1, 5], ``judgement`` is None while the candidate is not solved.
    """
    if checks is VerdictKind.FAIL:
        return _to(Found.CHECK_FAILED, None)
    if checks is VerdictKind.COULD_NOT_JUDGE or naturalness is None:
        return _to(Found.NOT_CHECKED, Fault.CALL_FAILED)
    if judgement is None:
        return _unsolved(naturalness, settings)
    if judgement.status is not LabelStatus.OK or judgement.label is None:
        return _to(Found.NO_LABEL, _why_no_label(judgement))
    return _judged(judgement.label, naturalness, settings)


def overall(evaluations: Sequence[Evaluation]) -> VerdictKind:
    """One verdict of several: a clear failure decides, then any that could not judge."""
    kinds = {evaluation.verdict for evaluation in evaluations}
    for kind in (VerdictKind.FAIL, VerdictKind.COULD_NOT_JUDGE):
        if kind in kinds:
            return kind
    return VerdictKind.PASS


def _unsolved(naturalness: float, settings: ValidateSettings) -> Routing:
    if naturalness < settings.solver_naturalness:
        return _to(Found.UNREADABLE, Fault.UNNATURAL)
    return _to(Found.NO_LABEL, Fault.CALL_FAILED)


def _why_no_label(judgement: Judgement) -> Fault:
    unresolved = judgement.status in (LabelStatus.JUDGE_UNRESOLVED, LabelStatus.OK)
    return Fault.JUDGE_UNRESOLVED if unresolved else Fault.CALL_FAILED


def _judged(label: Label, naturalness: float, settings: ValidateSettings) -> Routing:
    if tier_of(label, settings) is not Tier.NONE:
        if naturalness >= settings.certify_naturalness:
            return _to(Found.ATTACK, None)
        return _to(Found.UNNATURAL_ATTACK, Fault.UNNATURAL)
    if label is not Label.PASS:
        return _to(Found.HARMLESS, Fault.NO_ATTACK)
    if naturalness >= settings.camouflage_naturalness:
        return _to(Found.NATURAL_PASS, Fault.NO_ATTACK)
    return _to(Found.UNNATURAL_PASS, Fault.NO_ATTACK)


def _to(found: Found, fault: Fault | None) -> Routing:
    return Routing(*after(Status.NEW, found), fault)

"""Rejection records, made in one place so that none lacks its reason or its raw text."""

from __future__ import annotations

from curation.dedup import Duplicate
from salitrap.errors import CallFailed
from salitrap.records import Candidate, Evaluation, Fault, Language, Rejection, Seed, Stage


def storable(text: str) -> str:
    """Text that every file format can hold: half characters become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def of_draft(tag: str, language: Language, subject_id: str, fault: Fault, reason: str, raw: str) -> Rejection:
    """A seed, expert or drafted, that was not accepted."""
    return Rejection(
        stage=Stage.SCALE,
        subject_id=subject_id,
        seed_id=None,
        dimension_tag=tag,
        language=language,
        fault=fault,
        reason=storable(reason),
        raw=storable(raw),
    )


def of_duplicate(seed: Seed, verdict: Duplicate, raw: str) -> Rejection:
    """A seed that repeats an accepted one."""
    return Rejection(
        stage=Stage.SCALE,
        subject_id=seed.seed_id,
        seed_id=None,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        fault=verdict.fault,
        reason=verdict.reason,
        score=verdict.score,
        twin_id=verdict.twin_id,
        raw=storable(raw),
    )


def of_screened(seed: Seed, verdict: Evaluation, raw: str) -> Rejection:
    """A seed that the viability screen ruled out or could not judge; the reason has grade and answers."""
    fault = verdict.fault or Fault.NOT_VIABLE
    return of_draft(seed.dimension_tag, seed.language, seed.seed_id, fault, verdict.reason, raw)


def of_failed_rewrite(seed: Seed, subject_id: str, error: CallFailed) -> Rejection:
    """A child that was never written."""
    return Rejection(
        stage=Stage.REFINE,
        subject_id=subject_id,
        seed_id=seed.seed_id,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        fault=Fault.CALL_FAILED,
        reason=reason_of(error),
        raw=storable(error.raw),
    )


def of_repeated_rewrite(seed: Seed, subject_id: str, twin: Candidate) -> Rejection:
    """A child with the parent and the text of one that is there already."""
    return Rejection(
        stage=Stage.REFINE,
        subject_id=subject_id,
        seed_id=seed.seed_id,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        fault=Fault.NEAR_DUPLICATE,
        reason="the same text was written before",
        score=1.0,
        twin_id=twin.candidate_id,
        raw=twin.prompt,
    )


def reason_of(error: CallFailed) -> str:
    """Outcome and detail of a failed call."""
    return storable(f"{error.outcome.value}: {error.detail}")

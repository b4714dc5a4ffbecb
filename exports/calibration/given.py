"""Which gold answers a calibration uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from checkers.calibration import GoldUsed
from checkers.gold import (
    CandidateSet,
    GoldSet,
    Half,
    agreement_of,
    load_candidates,
    load_gold,
    shipped_candidates,
    shipped_gold,
)
from salitrap.errors import InputError
from salitrap.records.enums import Language

ALL = "all"
MOST_LISTED = 10
"""Ids that one line names."""


def chosen_gold(
    paths: Sequence[Path], half: str | None, languages: Sequence[Language], limit: int | None
) -> tuple[GoldSet, GoldUsed]:
    """The answers to use and their description; the shipped set when ``paths`` is empty.

    ``half`` is ``train``, ``held``, ``fresh`` or ``all``; None means held where the set has halves, all
    where not.

    Raises:
        InputError: a file cannot be used, or nothing is left.
    """
    whole = load_gold(paths) if paths else shipped_gold()
    split = any(answer.half is not None for answer in whole.answers)
    wanted = half or (Half.HELD.value if split else ALL)
    kept = whole.part(half=None if wanted == ALL else Half(wanted), languages=languages, limit=limit)
    if not kept.answers:
        there = {answer.language for answer in whole.answers}
        told = _no_answers(whole) or _nothing(whole.name, wanted, languages, there, split)
        raise InputError(told)
    return kept, _used(kept, wanted)


def chosen_candidates(
    paths: Sequence[Path], half: str | None, languages: Sequence[Language], limit: int | None
) -> tuple[CandidateSet, GoldUsed]:
    """The candidates to use and their description; see ``chosen_gold``.

    Raises:
        InputError: a file cannot be used, or nothing is left.
    """
    whole = load_candidates(paths) if paths else shipped_candidates()
    split = any(one.half is not None for one in whole.candidates)
    wanted = half or (Half.HELD.value if split else ALL)
    kept = whole.part(half=None if wanted == ALL else Half(wanted), languages=languages, limit=limit)
    if not kept.candidates:
        there = {one.language for one in whole.candidates}
        raise InputError(_nothing(whole.name, wanted, languages, there, split, "candidates"))
    return kept, GoldUsed(
        name=kept.name,
        sha256=kept.sha256,
        labelled_by=kept.labelled_by,
        half=wanted,
        languages=tuple(sorted({one.language for one in kept.candidates})),
        answers=len(kept.candidates),
        questions=len({one.question for one in kept.candidates}),
    )


def listed(ids: Sequence[str]) -> str:
    """At most ten ids, and how many more there are."""
    more = len(ids) - MOST_LISTED
    return ", ".join(ids[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _no_answers(whole: GoldSet) -> str:
    """Why a set has no labelled answer at all; empty when it has one."""
    if whole.answers:
        return ""
    if not whole.ties:
        return f"gold {whole.name}: the file is empty; give one with labelled answers"
    ids = listed([tie.answer_id for tie in whole.ties])
    return f"gold {whole.name}: all {len(whole.ties)} answers are ties: ids {ids}; have one more person label"


def _nothing(
    name: str,
    half: str,
    languages: Sequence[Language],
    there: Collection[Language],
    split: bool,
    unit: str = "answers",
) -> str:
    """Why a choice from a set leaves nothing; ``there`` are the languages of the whole set."""
    if languages and not set(languages) & set(there):
        found = " or ".join(sorted(there))
        return f"gold {name}: no {unit} in {', '.join(languages)}; give --language {found}"
    what = "" if half == ALL else f" in the half {half!r}"
    where = f" in {', '.join(languages)}" if languages else ""
    mend = "choose another --half or --language" if split else "it has no halves: leave --half out"
    return f"gold {name}: nothing{what}{where}; {mend}"


def _used(kept: GoldSet, half: str) -> GoldUsed:
    found = agreement_of([answer.votes for answer in kept.answers] + [tie.votes for tie in kept.ties])
    return GoldUsed(
        name=kept.name,
        sha256=kept.sha256,
        labelled_by=kept.labelled_by,
        half=half,
        languages=tuple(sorted({answer.language for answer in kept.answers})),
        answers=len(kept.answers),
        questions=kept.questions,
        ties=tuple(tie.answer_id for tie in kept.ties),
        reviewers=found,
    )

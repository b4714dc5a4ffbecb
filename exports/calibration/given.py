"""Which gold answers a calibration uses."""

from __future__ import annotations

from collections.abc import Sequence
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


def chosen_gold(
    paths: Sequence[Path], half: str | None, languages: Sequence[Language], limit: int | None
) -> tuple[GoldSet, GoldUsed]:
    """The answers to use and their description; the shipped set when ``paths`` is empty.

    ``half`` is ``train``, ``held`` or ``all``; None means held where the set has halves, all where not.

    Raises:
        InputError: a file cannot be used, or nothing is left.
    """
    whole = load_gold(paths) if paths else shipped_gold()
    split = any(answer.half is not None for answer in whole.answers)
    wanted = half or (Half.HELD.value if split else ALL)
    kept = whole.part(half=None if wanted == ALL else Half(wanted), languages=languages, limit=limit)
    if not kept.answers:
        raise InputError(_nothing(whole.name, wanted, languages, split))
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
        raise InputError(_nothing(whole.name, wanted, languages, split))
    return kept, GoldUsed(
        name=kept.name,
        sha256=kept.sha256,
        labelled_by=kept.labelled_by,
        half=wanted,
        languages=tuple(sorted({one.language for one in kept.candidates})),
        answers=len(kept.candidates),
        questions=len({one.question for one in kept.candidates}),
    )


def _nothing(name: str, half: str, languages: Sequence[Language], split: bool) -> str:
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

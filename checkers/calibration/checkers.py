"""Figures of truth, align and nat on gold candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checkers.calibration.agreement import agreement, share
from checkers.calibration.confusion import Pair
from checkers.calibration.records import Agreement, CheckerFigures, Share
from checkers.gold import GoldCandidate
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, VerdictKind

CLASSES = ("pass", "fail")
NATURALNESS = "naturalness"
NAT = "nat"


@dataclass(frozen=True, slots=True)
class Checked:
    """A gold candidate and what one checker said of it."""

    gold: GoldCandidate
    evaluation: Evaluation

    @property
    def failed(self) -> bool:
        """True when no reply could be had."""
        return self.evaluation.fault is Fault.CALL_FAILED


def checker_figures(name: str, checked: Sequence[Checked], threshold: float) -> CheckerFigures:
    """Figures of the checker ``name``; naturalness passes from ``threshold`` on.

    Candidates whose calls failed are counted and left out.
    """
    read = [one for one in checked if not one.failed]
    pairs_of = _nat_pairs(threshold) if name == NAT else _verdict_pairs(name)
    parts = {
        language: [one for one in read if one.gold.language is language]
        for language in sorted({one.gold.language for one in read})
    }
    correlation, difference = _means(read) if name == NAT else (None, None)
    return CheckerFigures(
        agreement=_agreement(read, pairs_of),
        languages={language: _agreement(some, pairs_of) for language, some in parts.items()},
        faults={} if name == NAT else _faults(name, read),
        errors=len(checked) - len(read),
        threshold=threshold if name == NAT else None,
        rank_correlation=correlation,
        mean_difference=difference,
    )


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation; ties share their mean rank. None where one side never varies."""
    ranks = [_ranks(np.asarray(values, dtype=np.float64)) for values in (first, second)]
    if any(one.size < 2 or one.min() == one.max() for one in ranks):
        return None
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    ordered = np.sort(values)
    low = np.searchsorted(ordered, values, side="left")
    high = np.searchsorted(ordered, values, side="right")
    ranks: NDArray[np.float64] = (low + high + 1) / 2.0
    return ranks


def _agreement(checked: Sequence[Checked], pair_of: Callable[[Checked], Pair]) -> Agreement:
    return agreement([pair_of(one) for one in checked], [one.gold.question for one in checked], CLASSES)


def _gold_fault(name: str, gold: GoldCandidate) -> Fault | None:
    return gold.truth.fault if name == "truth" else gold.align.fault


def _verdict_pairs(name: str) -> Callable[[Checked], Pair]:
    def pair(one: Checked) -> Pair:
        wanted = CLASSES[0] if _gold_fault(name, one.gold) is None else CLASSES[1]
        verdict = one.evaluation.verdict
        return wanted, None if verdict is VerdictKind.COULD_NOT_JUDGE else verdict.value

    return pair


def _nat_pairs(threshold: float) -> Callable[[Checked], Pair]:
    def told(mean: float) -> str:
        return CLASSES[0] if mean >= threshold else CLASSES[1]

    def pair(one: Checked) -> Pair:
        said = one.evaluation.scores.get(NATURALNESS)
        return told(one.gold.nat.mean), None if said is None else told(said)

    return pair


def _faults(name: str, checked: Sequence[Checked]) -> dict[Fault, Share]:
    """How often each fault was found, as that fault."""
    wanted = sorted({fault for one in checked if (fault := _gold_fault(name, one.gold)) is not None})
    shares = {}
    for fault in wanted:
        having = [one for one in checked if _gold_fault(name, one.gold) is fault]
        shares[fault] = share(sum(one.evaluation.fault is fault for one in having), len(having))
    return shares


def _means(checked: Sequence[Checked]) -> tuple[float | None, float | None]:
    """Rank correlation and mean difference of the naturalness means, where the checker gave one."""
    both = [
        (one.gold.nat.mean, one.evaluation.scores[NATURALNESS])
        for one in checked
        if NATURALNESS in one.evaluation.scores
    ]
    if not both:
        return None, None
    people, said = zip(*both, strict=True)
    return spearman(people, said), float(np.mean(said) - np.mean(people))

"""Two outcomes of one item or dialogue: table of pairs, difference, McNemar's test, Holm's correction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from exports.analysis.common_records import Bounds, Paired
from exports.analysis.intervals import rate, t_quantile
from exports.analysis.shares import TOLERATED_UNSCORED
from salitrap.wilson import Z_95


class Pair(NamedTuple):
    """Two outcomes of one ``unit`` (an item, a dialogue or a family); None: unscored."""

    seed: str
    unit: str
    first: bool | None
    second: bool | None

    @property
    def lean(self) -> int:
        """1 when only the first happened, -1 when only the second did, else 0."""
        return bool(self.first) - bool(self.second)


def paired_of(pairs: Sequence[Pair], unpaired: int, none: str) -> Paired:
    """Return the comparison; ``none`` is said when there is no pair at all."""
    scored = [pair for pair in pairs if pair.first is not None and pair.second is not None]
    table = Counter((bool(pair.first), bool(pair.second)) for pair in scored)
    n, unscored = len(scored), len(pairs) - len(scored)
    first_only, second_only = table[True, False], table[False, True]
    tested, p = _unit_test(scored)
    return Paired(
        n=n,
        both=table[True, True],
        first_only=first_only,
        second_only=second_only,
        neither=table[False, False],
        unpaired=unpaired,
        unscored=unscored,
        first_rate=rate(table[True, True] + first_only, n),
        second_rate=rate(table[True, True] + second_only, n),
        difference=100 * (first_only - second_only) / n if n else None,
        ci=_interval(first_only, second_only, n, Z_95) if n else None,
        cluster_ci=_cluster_interval(scored, first_only, second_only),
        bounds=_bounds(first_only - second_only, n, unscored),
        tested=tested,
        p=p,
        why="" if n else f"all {unscored} pairs are unscored" if unscored else none,
    )


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Return the two-sided exact p of McNemar's test; 1 when no pair disagrees."""
    total, fewer = first_only + second_only, min(first_only, second_only)
    ways = tail = 1
    for count in range(fewer):
        ways = ways * (total - count) // (count + 1)
        tail += ways
    return min(1.0, tail / 2 ** (total - 1)) if total else 1.0


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return the values after Holm's step-down correction, in their order; None stays, and counts nowhere."""
    given = sorted((value, place) for place, value in enumerate(values) if value is not None)
    corrected: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (value, place) in enumerate(given):
        largest = max(largest, min(1.0, (len(given) - rank) * value))
        corrected[place] = largest
    return corrected


def _unit_test(scored: Sequence[Pair]) -> tuple[int, float | None]:
    """Units that lean to one side over their repeats, and the test over them."""
    leans: Counter[str] = Counter()
    for pair in scored:
        leans[pair.unit] += pair.lean
    up = sum(lean > 0 for lean in leans.values())
    down = sum(lean < 0 for lean in leans.values())
    return up + down, mcnemar_exact(up, down) if scored else None


def _interval(first_only: float, second_only: float, n: float, quantile: float) -> Bounds:
    """Bonett and Price: Wald's interval after one pair more in each cell of disagreement."""
    up, down = (first_only + 1) / (n + 2), (second_only + 1) / (n + 2)
    half = quantile * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    return (100 * max(-1.0, up - down - half), 100 * min(1.0, up - down + half))


def _cluster_interval(scored: Sequence[Pair], first_only: int, second_only: int) -> Bounds | None:
    """The same on as many pairs as the cluster-robust variance of the difference says they are worth."""
    leans: dict[str, int] = {}
    sizes: Counter[str] = Counter(pair.seed for pair in scored)
    for pair in scored:
        leans[pair.seed] = leans.get(pair.seed, 0) + pair.lean
    clusters, n = len(sizes), len(scored)
    if clusters < 2:
        return None
    net = first_only - second_only
    spread = sum((leans[seed] * n - net * sizes[seed]) ** 2 for seed in sizes) / n**2
    weight = _worth(first_only + second_only - net**2 / n, spread, clusters, n) / n
    return _interval(first_only * weight, second_only * weight, n * weight, t_quantile(clusters - 1))


def _worth(plain: float, spread: float, clusters: int, n: int) -> float:
    """Independent pairs that would be as informative; never above those there are."""
    if plain <= 0:
        return clusters
    if spread <= 0:
        return n
    return min(float(n), n * plain * (clusters - 1) / (clusters * spread))


def _bounds(net: int, n: int, unscored: int) -> Bounds | None:
    """Lowest and highest difference, whatever the unscored pairs were."""
    total = n + unscored
    if unscored <= TOLERATED_UNSCORED * total:
        return None
    return (100 * (net - unscored) / total, 100 * (net + unscored) / total)

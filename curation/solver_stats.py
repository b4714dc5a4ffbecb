"""How the repeats of certified candidates went, by the solver family that answered."""

from __future__ import annotations

from collections import Counter, defaultdict

from curation.registry import Registry
from curation.tiers import tier_of
from salitrap.records import Label, Tier
from salitrap.records.base import Record
from salitrap.settings import ValidateSettings
from salitrap.wilson import wilson

_REPEATS = """
SELECT json_extract(answers.record, '$.solver_family'), json_extract(judgements.record, '$.label'),
    answers.candidate_id
FROM active_seeds JOIN answers USING (seed_id)
LEFT JOIN judgements ON judgements.candidate_id = answers.candidate_id AND judgements.repeat = answers.repeat
WHERE answers.stage = 'certify'
"""
_STABLE = """
SELECT candidate_id FROM active_seeds JOIN stability USING (seed_id)
WHERE json_extract(stability.record, '$.stable')
"""


class SolverStats(Record):
    """One solver family: its repeats by tier of their label, the candidates it was repeated on, those stable.

    ``unscored`` repeats have no label. ``share`` is stable over tested, ``low`` and ``high`` its 95 % Wilson
    interval; candidates of one seed resemble each other, so that it is rather too narrow.
    """

    family: str
    repeats: int
    strong: int
    soft: int
    none: int
    unscored: int
    tested: int
    stable: int
    share: float
    low: float
    high: float


def solver_stats(registry: Registry, settings: ValidateSettings) -> tuple[SolverStats, ...]:
    """One line a family, by name; none where nothing was repeated."""
    stable = {row[0] for row in registry.connection.execute(_STABLE)}
    tiers: dict[str, Counter[Tier | None]] = defaultdict(Counter)
    tested: dict[str, set[str]] = defaultdict(set)
    for family, label, candidate_id in registry.connection.execute(_REPEATS):
        tiers[family][tier_of(Label(label), settings) if label else None] += 1
        tested[family].add(candidate_id)
    return tuple(_line(family, tiers[family], tested[family], stable) for family in sorted(tiers))


def _line(family: str, tiers: Counter[Tier | None], tested: set[str], stable: set[str]) -> SolverStats:
    kept = len(tested & stable)
    low, high = wilson(kept, len(tested))
    return SolverStats(
        family=family,
        repeats=tiers.total(),
        strong=tiers[Tier.STRONG],
        soft=tiers[Tier.SOFT],
        none=tiers[Tier.NONE],
        unscored=tiers[None],
        tested=len(tested),
        stable=kept,
        share=kept / len(tested),
        low=low,
        high=high,
    )

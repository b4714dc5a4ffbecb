"""When is a certified candidate stable?

Every repeat gives a label group: strong, soft or none. ``rate`` is the share of *scored* repeats
in the certified group; repeats without a label are counted in ``unscored`` beside it. Rule
``majority`` (the paper's) wants a rate above one half, rule ``lower-bound`` a Wilson lower bound of
at least one half. Under both, a candidate of which no more than half of the repeats were scored is
not stable: too little is known of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curation.tiers import tier_of
from curation.wilson import wilson
from salitrap.records import Judgement, Label, LabelStatus, Stability, Tier
from salitrap.settings import CertifySettings, ValidateSettings

HALF = 0.5


def assess(
    candidate_id: str,
    certified: Tier,
    judgements: Sequence[Judgement],
    certify: CertifySettings,
    validation: ValidateSettings,
) -> Stability:
    """Judge the repeats of one candidate, given in order of repeat."""
    labels = tuple(_label(judgement) for judgement in judgements)
    scored = [tier_of(label, validation) for label in labels if label is not None]
    matching = scored.count(certified)
    bounds = wilson(matching, len(scored))
    rate = matching / len(scored) if scored else 0.0
    enough = enough_scored(len(scored), len(labels))
    kept = rate > HALF if certify.rule == "majority" else bounds.low >= HALF
    return Stability(
        candidate_id=candidate_id,
        labels=labels,
        certified_tier=certified,
        tier=_majority(scored),
        rate=rate,
        rate_low=bounds.low,
        rate_high=bounds.high,
        unscored=len(labels) - len(scored),
        stable=enough and kept,
        rule=certify.rule,
    )


def enough_scored(scored: int, repeats: int) -> bool:
    """True when more than half of the repeats have a label."""
    return 2 * scored > repeats


def _label(judgement: Judgement) -> Label | None:
    return judgement.label if judgement.status is LabelStatus.OK else None


def _majority(scored: Sequence[Tier]) -> Tier:
    """The group of more than half of the scored repeats, none when there is no such group."""
    for tier, count in Counter(scored).items():
        if 2 * count > len(scored):
            return tier
    return Tier.NONE

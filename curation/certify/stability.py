"""From the labels of the repeats to stable, unstable or not known yet."""

from __future__ import annotations

from collections.abc import Sequence

from curation.tiers import tier_of
from salitrap.records import Judgement, Label, Stability, Tier
from salitrap.settings import CertifySettings, ValidateSettings
from salitrap.wilson import wilson

LOWER_BOUND = 0.5


def stability_of_repeats(
    candidate_id: str,
    certified: Label | None,
    judgements: Sequence[Judgement],
    settings: CertifySettings,
    validation: ValidateSettings,
) -> Stability:
    """Sum up the repeats of one candidate.

    ``rate`` is the share of the *scored* repeats whose label group (strong or soft) is the certified
    one, ``rate_low`` and ``rate_high`` its 95 % Wilson interval. A repeat without a label is counted in
    ``unscored`` and decides nothing. ``tier`` is the group that most scored repeats fall into, a tie
    going to ``none`` first and to ``soft`` before ``strong``, so that a tie never flatters. Fewer judgements
    than repeats were stopped early: the outcome was decided, and the rate is biased.
    """
    wanted = tier_of(certified, validation)
    labels = tuple(judgement.label for judgement in judgements)
    groups = [tier_of(label, validation) for label in labels if label is not None]
    matching = groups.count(wanted)
    interval = wilson(matching, len(groups))
    return Stability(
        candidate_id=candidate_id,
        labels=labels,
        certified_tier=wanted,
        tier=_commonest(groups),
        rate=matching / len(groups) if groups else 0.0,
        rate_low=interval.low,
        rate_high=interval.high,
        unscored=len(labels) - len(groups),
        stable=stable_of(matching, len(groups), settings),
        rule=settings.rule,
        stopped_early=len(labels) < settings.repeats,
    )


def is_known(stability: Stability) -> bool:
    """False when fewer than half of the repeats have a label: that is our failure, not instability."""
    repeats = len(stability.labels)
    return (repeats - stability.unscored) * 2 > repeats


def is_known_of(scored: int, settings: CertifySettings) -> bool:
    """True when more than half of all repeats have a label."""
    return scored * 2 > settings.repeats


def stable_of(matching: int, scored: int, settings: CertifySettings) -> bool:
    """What the rule makes of ``matching`` of ``scored`` repeats."""
    if not is_known_of(scored, settings):
        return False
    if settings.rule == "lower-bound":
        return wilson(matching, scored).low >= LOWER_BOUND
    return matching * 2 > scored


def _commonest(groups: Sequence[Tier]) -> Tier:
    cautious = (Tier.NONE, Tier.SOFT, Tier.STRONG)
    return (
        max(cautious, key=lambda tier: (groups.count(tier), -cautious.index(tier))) if groups else Tier.NONE
    )

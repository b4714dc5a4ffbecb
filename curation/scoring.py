"""score(c) and the ranking of a seed's candidates (paper, section 3.3.3).

score = severity + 20 nu (+ 40 when nu passes) + 20 aligned - 100 escape - 5 near duplicate
- min(length / 100, 3), with the weights of ``ScoreWeights``. Ties are broken by id, so that the
order in which candidates were found never matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from rapidfuzz import fuzz

from curation.node import Node
from curation.tiers import tier_of
from salitrap.records import Label, Status, Tier
from salitrap.settings import RefineSettings, ScoreWeights, ValidateSettings
from salitrap.text import numeral_counts


def base_score(node: Node, weights: ScoreWeights, validation: ValidateSettings) -> float:
    """Everything in the score that concerns the candidate alone."""
    return reduce(add, (value for _, value in score_parts(node, weights, validation)))


def score_parts(
    node: Node, weights: ScoreWeights, validation: ValidateSettings
) -> tuple[tuple[str, float], ...]:
    """What ``base_score`` adds up, by name."""
    decision = node.decision
    nu = decision.naturalness or 0.0
    return (
        ("severity", _severity(decision.label, weights, validation)),
        ("naturalness", weights.naturalness * nu),
        ("natural_bonus", weights.natural_bonus if nu >= validation.certify_naturalness else 0.0),
        ("aligned", weights.aligned if decision.aligned else 0.0),
        ("escape", -weights.escape if node.escapes else 0.0),
        ("length", -min(len(node.candidate.prompt) / weights.length_divisor, weights.length_cap)),
    )


def ranked(
    nodes: Sequence[Node], settings: RefineSettings, validation: ValidateSettings
) -> tuple[tuple[Node, float], ...]:
    """Certified nodes with their final scores, best first.

    A candidate is a near duplicate when its sequence ratio to one ranked above it by base score
    reaches ``near_duplicate_ratio``.
    """
    pool = [node for node in nodes if node.decision.status is Status.CERTIFIED]
    first = _sorted([(node, base_score(node, settings.weights, validation)) for node in pool])
    final, above = [], list[str]()
    for node, score in first:
        near = any(ratio(node.candidate.prompt, text) >= settings.near_duplicate_ratio for text in above)
        final.append((node, score - settings.weights.near_duplicate if near else score))
        above.append(node.candidate.prompt)
    return _sorted(final)


def best(nodes: Sequence[Node], settings: RefineSettings, validation: ValidateSettings) -> Node | None:
    """The valid candidate with the highest base score, None when there is none."""
    scored = [(node, base_score(node, settings.weights, validation)) for node in nodes if node.valid]
    ordered = _sorted(scored)
    return ordered[0][0] if ordered else None


def ratio(left: str, right: str) -> float:
    """Sequence ratio of two texts as they are, in [0, 1]."""
    return fuzz.ratio(left, right, processor=None) / 100.0


def exact_twin(prompt: str, nodes: Sequence[Node], settings: RefineSettings) -> Node | None:
    """The first node with practically the same text and equal numbers, None when there is none."""
    numbers = numeral_counts(prompt)
    for node in nodes:
        alike = ratio(prompt, node.candidate.prompt) >= settings.exact_duplicate_ratio
        if alike and numeral_counts(node.candidate.prompt) == numbers:
            return node
    return None


def _severity(label: Label | None, weights: ScoreWeights, validation: ValidateSettings) -> float:
    tier = tier_of(label, validation)
    if tier is Tier.NONE:
        return weights.passed if label is Label.PASS else 0.0
    return weights.strong if tier is Tier.STRONG else weights.soft


def _sorted(scored: Sequence[tuple[Node, float]]) -> tuple[tuple[Node, float], ...]:
    return tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0].candidate_id)))

"""The score of a candidate part by part, and its place among those of its seed."""

from __future__ import annotations

from collections.abc import Sequence

from curation.node import Node
from curation.scoring import ranked, ratio, score_parts
from salitrap.records.base import Record
from salitrap.settings import Settings


class ScoreTold(Record):
    """``parts`` add up to ``total``; ``rank`` counts from 1 among ``pool`` certified candidates.

    ``rank`` is None for a candidate that is not certified: it has no place. ``near_twin`` is the better one
    that it resembles, with their sequence ratio. The best ``top_k`` that prove stable become items.
    """

    parts: tuple[tuple[str, float], ...]
    total: float
    rank: int | None
    pool: int
    top_k: int
    near_twin: str = ""
    near_ratio: float | None = None


def told_score(node: Node, nodes: Sequence[Node], settings: Settings) -> ScoreTold | None:
    """Explain the score of ``node``, one of ``nodes``, all candidates of its seed; None when it has none."""
    if node.decision.score is None:
        return None
    refine, validation = settings.refine, settings.validation
    parts = score_parts(node, refine.weights, validation)
    order = ranked(nodes, refine, validation)
    places = [other.candidate_id for other, _ in order]
    rank = places.index(node.candidate_id) + 1 if node.candidate_id in places else None
    twin, close = _near(node, [other for other, _ in order], settings) if rank else ("", None)
    if twin:
        parts = (*parts, ("near_duplicate", -refine.weights.near_duplicate))
    total = sum(value for _, value in parts)
    return ScoreTold(
        parts=parts,
        total=total,
        rank=rank,
        pool=len(order),
        top_k=refine.top_k,
        near_twin=twin,
        near_ratio=close,
    )


def _near(node: Node, order: Sequence[Node], settings: Settings) -> tuple[str, float | None]:
    """The candidate with a higher base score that ``node`` is a near duplicate of."""
    refine, validation = settings.refine, settings.validation

    def base(one: Node) -> tuple[float, str]:
        return -sum(value for _, value in score_parts(one, refine.weights, validation)), one.candidate_id

    for other in sorted(order, key=base):
        if other.candidate_id == node.candidate_id:
            break
        close = ratio(node.candidate.prompt, other.candidate.prompt)
        if close >= refine.near_duplicate_ratio:
            return other.candidate_id, close
    return "", None

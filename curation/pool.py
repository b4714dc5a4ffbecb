"""Which candidates of a seed are certified, in which order, and what people changed about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.node import Node
from curation.opinions import Verdict
from curation.scoring import base_score, ranked
from salitrap.records import Status, content_hash
from salitrap.settings import Settings


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates in the order in which they are tested.

    The first ``required`` are tested whatever becomes of the others. ``rejected`` would have been in the
    pool, ``chosen`` would have come later or not at all: both by decision of a person.
    """

    nodes: tuple[Node, ...]
    required: int = 0
    rejected: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()

    def fingerprint(self, given: str) -> str:
        """``given``, the fingerprint of the settings, with what people changed, if they did."""
        return content_hash([given, self.rejected, self.chosen]) if self.rejected or self.chosen else given


def pool_of(nodes: Sequence[Node], verdicts: Mapping[str, Verdict], settings: Settings) -> Pool:
    """Certified candidates, best first; rejected ones are left out, accepted ones follow the first ``top_k``.

    An accepted candidate whose text was found unnatural is tested, too, since an answer fell for it.
    """
    kept = [node for node in nodes if verdicts.get(node.candidate_id) is not Verdict.REJECTED]
    accepted = {one for one, verdict in verdicts.items() if verdict is Verdict.ACCEPTED}
    ordered = [node for node, _ in ranked(kept, settings.refine, settings.validation)]
    first, later = ordered[: settings.refine.top_k], ordered[settings.refine.top_k :]
    chosen = [node for node in later if node.candidate_id in accepted]
    chosen += _unnatural(kept, accepted, settings)
    rest = [node for node in later if node.candidate_id not in accepted]
    rejected = [node.candidate_id for node in nodes if node not in kept and _certified(node)]
    return Pool(
        nodes=(*first, *chosen, *rest),
        required=len(first) + len(chosen) if chosen else 0,
        rejected=tuple(sorted(rejected)),
        chosen=tuple(sorted(node.candidate_id for node in chosen)),
    )


def _certified(node: Node) -> bool:
    return node.decision.status is Status.CERTIFIED


def _unnatural(nodes: Sequence[Node], accepted: set[str], settings: Settings) -> list[Node]:
    found = [
        node
        for node in nodes
        if node.decision.status is Status.ATTACK_UNNATURAL and node.candidate_id in accepted
    ]
    weights, validation = settings.refine.weights, settings.validation
    return sorted(found, key=lambda node: (-base_score(node, weights, validation), node.candidate_id))

"""What the writer is told about the text it rewrites."""

from __future__ import annotations

from curation.node import Node
from salitrap.records import Route


def feedback_for(node: Node) -> str:
    """Reasons of the checker or judge whose finding sent the candidate on this route.

    For camouflage that is where the solver saw the trap, otherwise why the text reads badly; one
    finding a line, empty when nothing was said.
    """
    if node.decision.route is Route.CAMOUFLAGE:
        return _joined(_judged(node) or [node.decision.reason])
    return _joined(_rated(node) or [node.decision.reason])


def _judged(node: Node) -> list[str]:
    if node.judgement is None:
        return []
    quote = node.judgement.evidence.quote if node.judgement.evidence else ""
    return [node.judgement.reason, quote]


def _rated(node: Node) -> list[str]:
    rated = [evaluation for evaluation in node.evaluations if "naturalness" in evaluation.scores]
    scores = [
        ", ".join(f"{name} {value:g}" for name, value in sorted(evaluation.scores.items()))
        for evaluation in rated
    ]
    return [*(evaluation.reason for evaluation in rated), *scores]


def _joined(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)

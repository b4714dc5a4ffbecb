"""Everything a reviewer sees of one candidate, read from the registry."""

from __future__ import annotations

from dataclasses import dataclass

from curation.node import Node
from curation.opinions import AnswerLabel, Edit, Opinion, answer_id_of
from curation.pairs import Review
from curation.registry import Registry
from curation.registry.people import edits_of, labels_of, opinions_of
from curation.registry.queries import (
    current_decision,
    machine_decision,
    nodes_of,
    repeats_of,
    seed_of,
    stability_of,
)
from curation.review.reading import waiting_edits
from curation.review.segments import Segment, core_spans, difference, marked, number_spans, quote_spans
from curation.scoring import score_parts
from salitrap.records import Answer, Decision, Judgement, Seed, Stability
from salitrap.settings import Settings


@dataclass(frozen=True, slots=True)
class Branch:
    """One candidate in the tree of its seed; ``change`` is what sets it apart from its parent."""

    node: Node
    decision: Decision
    depth: int
    here: bool
    on_the_way: bool
    parent_gone: bool
    change: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A text that a person wrote and no run has taken in yet."""

    edit: Edit
    depth: int
    parent_there: bool
    change: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer with its judgement, the passages that were quoted, and what people called it."""

    answer: Answer
    judgement: Judgement | None
    segments: tuple[Segment, ...]
    labels: tuple[AnswerLabel, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A seed that resembles another one, with the difference from the earlier to the later."""

    review: Review
    other_id: str
    other_first: str
    change: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Dossier:
    """One candidate. ``decision`` is what holds, ``machine`` what the run itself found last."""

    seed: Seed
    node: Node
    decision: Decision
    machine: Decision
    prompt: tuple[Segment, ...]
    tree: tuple[Branch, ...]
    waiting: tuple[Waiting, ...]
    replies: tuple[Reply, ...]
    stability: Stability | None
    opinions: tuple[Opinion, ...]
    score: tuple[tuple[str, float], ...]
    pairs: tuple[Pair, ...]
    written_by: Edit | None


def dossier_of(registry: Registry, settings: Settings, seed_id: str, candidate_id: str) -> Dossier | None:
    """Collect it; None when the view has no such candidate."""
    seed, nodes = seed_of(registry, seed_id), nodes_of(registry, seed_id)
    node = next((one for one in nodes if one.candidate_id == candidate_id), None)
    if seed is None or node is None:
        return None
    edits = {edit.candidate_id: edit for edit in edits_of(registry, seed_id)}
    return Dossier(
        seed=seed,
        node=node,
        decision=current_decision(registry, candidate_id) or node.decision,
        machine=machine_decision(registry, candidate_id) or node.decision,
        prompt=prompt_segments(seed, node),
        tree=_tree(registry, nodes, node, edits),
        waiting=_waiting(registry, seed_id, nodes),
        replies=_replies(registry, node),
        stability=stability_of(registry, candidate_id),
        opinions=opinions_of(registry, candidate_id),
        score=_score(node, settings),
        pairs=_pairs(registry, seed),
        written_by=edits.get(candidate_id),
    )


def prompt_segments(seed: Seed, node: Node) -> tuple[Segment, ...]:
    """The prompt with the trap core's words, the injected numbers and the checkers' quotes marked."""
    text, things = node.candidate.prompt, (seed.triple.tool, seed.triple.object)
    quotes = [quote for evaluation in node.evaluations for quote in evaluation.evidence]
    spans = core_spans(text, seed.trap_core, things)
    spans += number_spans(text, node.candidate.injected_numbers) + quote_spans(text, quotes)
    return marked(text, spans)


def _tree(
    registry: Registry, nodes: tuple[Node, ...], here: Node, edits: dict[str, Edit]
) -> tuple[Branch, ...]:
    """All candidates of the seed, each behind its parent, children in lineage order."""
    by_id = {one.candidate_id: one for one in nodes}
    way, branches = _way(by_id, here), list[Branch]()

    def add(node: Node, depth: int) -> None:
        parent = by_id.get(node.candidate.parent_id or "")
        written = edits.get(node.candidate_id)
        before = parent.candidate.prompt if parent else written.parent.prompt if written else ""
        branches.append(
            Branch(
                node=node,
                decision=current_decision(registry, node.candidate_id) or node.decision,
                depth=depth,
                here=node is here,
                on_the_way=node.candidate_id in way,
                parent_gone=parent is None and node.candidate.parent_id is not None,
                change=difference(before, node.candidate.prompt) if before else (),
            )
        )
        for child in nodes:
            if child.candidate.parent_id == node.candidate_id:
                add(child, depth + 1)

    for node in nodes:
        if (node.candidate.parent_id or "") not in by_id:
            add(node, 0)
    return tuple(branches)


def _way(by_id: dict[str, Node], node: Node) -> set[str]:
    """Identifiers from c0 to the candidate."""
    way, step = set[str](), node.candidate_id
    while step in by_id:
        way.add(step)
        step = by_id[step].candidate.parent_id or ""
    return way


def _waiting(registry: Registry, seed_id: str, nodes: tuple[Node, ...]) -> tuple[Waiting, ...]:
    there = {node.candidate_id for node in nodes}
    return tuple(
        Waiting(
            edit=edit,
            depth=edit.parent.depth + 1,
            parent_there=edit.parent.candidate_id in there,
            change=difference(edit.parent.prompt, edit.prompt),
        )
        for edit in waiting_edits(registry, seed_id)
    )


def _replies(registry: Registry, node: Node) -> tuple[Reply, ...]:
    answers, judgements = repeats_of(registry, node.candidate_id)
    judged = {one.repeat: one for one in judgements}
    return tuple(_reply(registry, node, answer, judged.get(answer.repeat)) for answer in answers)


def _reply(registry: Registry, node: Node, answer: Answer, judgement: Judgement | None) -> Reply:
    quotes = [judgement.quote, *(vote.quote for vote in judgement.votes)] if judgement else []
    labels = labels_of(registry, answer_id_of(node.candidate.prompt, answer.text))
    said = [label.quote for label in labels]
    return Reply(answer, judgement, marked(answer.text, quote_spans(answer.text, (*quotes, *said))), labels)


def _score(node: Node, settings: Settings) -> tuple[tuple[str, float], ...]:
    """The parts of the score, with the deduction for a near duplicate that only the whole seed shows."""
    if node.decision.score is None:
        return ()
    parts = score_parts(node, settings.refine.weights, settings.validation)
    rest = node.decision.score - sum(value for _, value in parts)
    shown = [(name, value) for name, value in parts if value]
    return (*shown, ("near_duplicate", rest)) if abs(rest) > 1e-6 else tuple(shown)


def _pairs(registry: Registry, seed: Seed) -> tuple[Pair, ...]:
    query = (
        "SELECT record FROM reviews WHERE subject_id = :seed OR json_extract(record, '$.twin_id') = :seed"
        " ORDER BY subject_id, place"
    )
    rows = registry.connection.execute(query, {"seed": seed.seed_id}).fetchall()
    reviews = [Review.model_validate_json(row[0]) for row in rows]
    return tuple(pair for review in reviews if (pair := _pair(registry, seed, review)) is not None)


def _pair(registry: Registry, seed: Seed, review: Review) -> Pair | None:
    other_id = review.twin_id if review.subject_id == seed.seed_id else review.subject_id
    other = seed_of(registry, other_id)
    if other is None:
        return None
    query = "SELECT candidate_id FROM candidates WHERE seed_id = ? AND ordinal = 0"
    row = registry.connection.execute(query, (other_id,)).fetchone()
    return Pair(review, other_id, str(row[0]) if row else "", difference(other.prompt, seed.prompt))

"""Read the registry: seeds, candidates, items and rejections, always in an order of content."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from typing import Any, TypeVar

from curation.node import Node
from curation.pairs import Review
from curation.registry.faults import translated
from curation.registry.registry import Registry
from salitrap.records import (
    Answer,
    Candidate,
    CertifiedItem,
    Decision,
    Evaluation,
    Fault,
    Judgement,
    Rejection,
    Seed,
    Stability,
    Stage,
    Status,
)
from salitrap.records.base import Record

PAGE = 200
RecordT = TypeVar("RecordT", bound=Record)


def active_seeds(registry: Registry) -> Iterator[Seed]:
    """Accepted seeds within their cells' targets, in order of acceptance.

    Read in pages, so that memory stays flat and no cursor is open while others write.
    """
    yield from _seeds(registry, "active_seeds")


def accepted_seeds(registry: Registry) -> Iterator[Seed]:
    """All accepted seeds, also those beyond a target lowered later."""
    yield from _seeds(registry, "seeds")


def seed_of(registry: Registry, seed_id: str) -> Seed | None:
    """An accepted seed by id."""
    found = _records(registry, Seed, "SELECT record FROM seeds WHERE seed_id = ?", seed_id)
    return found[0] if found else None


def viability_of(registry: Registry, seed_id: str) -> Evaluation | None:
    """What the viability screen said of an accepted seed, None when it was not asked."""
    found = _records(registry, Evaluation, "SELECT record FROM viability WHERE seed_id = ?", seed_id)
    return found[0] if found else None


def nodes_of(registry: Registry, seed_id: str) -> tuple[Node, ...]:
    """A seed's candidates in lineage order, as refinement left them."""
    query = "SELECT record FROM {} WHERE {} ORDER BY {}"
    candidates = _records(registry, Candidate, query.format("candidates", "seed_id = ?", "ordinal"), seed_id)
    decisions = _by_id(registry, Decision, "decisions", seed_id)
    answers, judgements = (
        _by_id(registry, Answer, "answers", seed_id),
        _by_id(registry, Judgement, "judgements", seed_id),
    )
    evaluations: dict[str, list[Evaluation]] = {}
    ordered = query.format("evaluations", "seed_id = ?", "rowid")
    for evaluation in _records(registry, Evaluation, ordered, seed_id):
        evaluations.setdefault(evaluation.subject_id, []).append(evaluation)
    return tuple(
        Node(
            candidate=candidate,
            evaluations=tuple(evaluations.get(candidate.candidate_id, ())),
            answer=answers.get(candidate.candidate_id),
            judgement=judgements.get(candidate.candidate_id),
            decision=decisions[candidate.candidate_id],
        )
        for candidate in candidates
    )


def repeats_of(registry: Registry, candidate_id: str) -> tuple[tuple[Answer, ...], tuple[Judgement, ...]]:
    """Answers and judgements of one candidate, the first and the repeats, in order."""
    query = "SELECT record FROM {} WHERE candidate_id = ? ORDER BY repeat"
    return (
        tuple(_records(registry, Answer, query.format("answers"), candidate_id)),
        tuple(_records(registry, Judgement, query.format("judgements"), candidate_id)),
    )


def disputed(registry: Registry) -> Iterator[Judgement]:
    """Judgements on candidates of the active seeds whose judges did not agree, for a person to settle.

    Seeds in order of acceptance, candidates in lineage order, repeats in order; none without a panel.
    """
    query = (
        "SELECT judgements.record FROM judgements"
        " JOIN active_seeds AS seeds USING (seed_id) JOIN candidates USING (candidate_id)"
        " WHERE json_array_length(judgements.record, '$.votes') > 1"
        " ORDER BY seeds.position, candidates.ordinal, judgements.repeat"
    )
    yield from (one for one in _stream(registry, Judgement, query) if one.disputed)


def current_decision(registry: Registry, candidate_id: str) -> Decision | None:
    """The decision that holds on a candidate: that of a person, otherwise the newest stage's."""
    query = "SELECT record FROM current_decisions WHERE candidate_id = ?"
    found = _records(registry, Decision, query, candidate_id)
    return found[0] if found else None


def machine_decision(registry: Registry, candidate_id: str) -> Decision | None:
    """The newest stage's decision on a candidate, whatever people said."""
    query = "SELECT record FROM machine_decisions WHERE candidate_id = ?"
    found = _records(registry, Decision, query, candidate_id)
    return found[0] if found else None


def stability_of(registry: Registry, candidate_id: str) -> Stability | None:
    """Outcome of a candidate's repeats, None when it had none."""
    query = "SELECT record FROM stability WHERE candidate_id = ?"
    found = _records(registry, Stability, query, candidate_id)
    return found[0] if found else None


def items(registry: Registry) -> Iterator[CertifiedItem]:
    """Stable items of the active seeds that nobody rejected: seeds in order of acceptance, best first."""
    query = (
        "SELECT items.record FROM items JOIN active_seeds AS seeds USING (seed_id)"
        " JOIN current_decisions USING (candidate_id) WHERE current_decisions.status = 'stable'"
        " ORDER BY seeds.position, items.rank"
    )
    yield from _stream(registry, CertifiedItem, query)


def cell_rank_of(registry: Registry, seed_id: str) -> int:
    """Place of an accepted seed within its dimension and language, from 0."""
    ((rank,),) = _rows(registry, "SELECT cell_rank FROM seeds WHERE seed_id = ?", seed_id)
    return int(rank)


def items_of(registry: Registry, seed_id: str) -> tuple[CertifiedItem, ...]:
    """Stable items of one seed that nobody rejected, best first."""
    query = (
        "SELECT items.record FROM items JOIN current_decisions USING (candidate_id)"
        " WHERE items.seed_id = ? AND current_decisions.status = 'stable' ORDER BY items.rank"
    )
    return tuple(_records(registry, CertifiedItem, query, seed_id))


def reviews(registry: Registry) -> Iterator[Review]:
    """Pairs of accepted seeds that a person should read."""
    query = (
        "SELECT reviews.record FROM reviews JOIN active_seeds AS seeds ON seeds.seed_id = subject_id"
        " ORDER BY seeds.position, place"
    )
    yield from _stream(registry, Review, query)


def rejections(registry: Registry) -> Generator[Rejection, None, None]:
    """Everything that came in and is no item, with its reason; what is still pending is left out."""
    stored = "SELECT record FROM rejections WHERE stage = 'scale' ORDER BY place, subject_id"
    yield from _stream(registry, Rejection, stored)
    for (record,) in _rows(registry, f"SELECT seeds.record FROM seeds {_ASIDE} ORDER BY position"):
        yield _set_aside(Seed.model_validate_json(record))
    written = (
        "SELECT rejections.record FROM rejections JOIN active_seeds AS seeds USING (seed_id)"
        " WHERE stage = 'refine' ORDER BY seeds.position, place, subject_id"
    )
    yield from _stream(registry, Rejection, written)
    for stage, tag, decision, candidate in _rows(registry, _UNSUCCESSFUL):
        rejection = _from_decision(
            stage, tag, Decision.model_validate_json(decision), Candidate.model_validate_json(candidate)
        )
        if rejection is not None:
            yield rejection


def all_events(registry: Registry) -> Generator[dict[str, Any], None, None]:
    """Every event ever appended, oldest first."""
    columns = ("seq", "at", "fingerprint", "batch", "stage", "kind", "subject_id", "seed_id", "place", "hash")
    for row in _rows(registry, f"SELECT {', '.join(columns)}, payload FROM events ORDER BY seq"):
        yield {**dict(zip(columns, row, strict=False)), "payload": json.loads(row[-1])}


def summary_of(registry: Registry, stage: Stage, seed_id: str) -> Mapping[str, Any] | None:
    """How work on a seed ended, None when it was not done."""
    query = "SELECT record FROM seed_state WHERE stage = ? AND seed_id = ?"
    rows = list(_rows(registry, query, stage, seed_id))
    return dict(json.loads(rows[0][0])) if rows else None


_ASIDE = "WHERE seed_id NOT IN (SELECT seed_id FROM active_seeds)"
_UNSUCCESSFUL = (
    "SELECT mine.stage, seeds.dimension_tag, mine.record, candidates.record"
    " FROM current_decisions AS mine"
    " JOIN active_seeds AS seeds ON seeds.seed_id = mine.seed_id"
    " JOIN candidates ON candidates.candidate_id = mine.candidate_id"
    " WHERE mine.status <> 'stable' ORDER BY seeds.position, candidates.ordinal"
)


def _set_aside(seed: Seed) -> Rejection:
    return Rejection(
        stage=Stage.SCALE,
        subject_id=seed.seed_id,
        seed_id=seed.seed_id,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        fault=Fault.NOT_SELECTED,
        reason="accepted, and beyond the target of its cell",
        raw=seed.prompt,
    )


def _from_decision(stage: str, tag: str, decision: Decision, candidate: Candidate) -> Rejection | None:
    if decision.fault is None:
        return None
    return Rejection(
        stage=stage,
        subject_id=decision.candidate_id,
        seed_id=candidate.seed_id,
        dimension_tag=tag,
        language=candidate.language,
        fault=decision.fault,
        reason=decision.reason or Status(decision.status).value,
        score=decision.score,
        raw=candidate.prompt,
    )


def _seeds(registry: Registry, table: str) -> Iterator[Seed]:
    query = f"SELECT position, record FROM {table} WHERE position > ? ORDER BY position LIMIT {PAGE}"
    last = -1
    while page := list(_rows(registry, query, last)):
        last = page[-1][0]
        yield from (Seed.model_validate_json(record) for _, record in page)


def _by_id(registry: Registry, kind: type[RecordT], table: str, seed_id: str) -> dict[str, RecordT]:
    query = f"SELECT candidate_id, record FROM {table} WHERE stage = 'refine' AND seed_id = ?"
    return {key: kind.model_validate_json(record) for key, record in _rows(registry, query, seed_id)}


def _records(registry: Registry, kind: type[RecordT], query: str, *values: object) -> list[RecordT]:
    return list(_stream(registry, kind, query, *values))


def _stream(registry: Registry, kind: type[RecordT], query: str, *values: object) -> Iterator[RecordT]:
    for (record,) in _rows(registry, query, *values):
        yield kind.model_validate_json(record)


def _rows(registry: Registry, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    with translated(registry.path):
        yield from registry.connection.execute(query, values)

"""Read what people said of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from curation.opinions import AnswerLabel, Edit, Opinion, Verdict
from curation.registry.faults import translated
from curation.registry.registry import Registry
from salitrap.records.base import Record

RecordT = TypeVar("RecordT", bound=Record)


def verdicts_of(registry: Registry, seed_id: str) -> dict[str, Verdict]:
    """The decision that holds by candidate of a seed; candidates that nobody decided on are not in it."""
    query = (
        "SELECT candidate_id, verdict FROM opinions WHERE seed_id = ? AND verdict <> 'open' ORDER BY number"
    )
    return {candidate_id: Verdict(verdict) for candidate_id, verdict in _rows(registry, query, seed_id)}


def opinions_of(registry: Registry, candidate_id: str) -> tuple[Opinion, ...]:
    """The decision of every person on a candidate, oldest first; the last one holds."""
    query = "SELECT record FROM opinions WHERE candidate_id = ? AND verdict <> 'open' ORDER BY number"
    return tuple(_records(registry, Opinion, query, candidate_id))


def edits_of(registry: Registry, seed_id: str) -> tuple[Edit, ...]:
    """Texts that people wrote for a seed, oldest first; those withdrawn are left out."""
    query = "SELECT record FROM edits WHERE seed_id = ? AND withdrawn = 0 ORDER BY number"
    return tuple(_records(registry, Edit, query, seed_id))


def labels_of(registry: Registry, answer_id: str) -> tuple[AnswerLabel, ...]:
    """What people called one answer, oldest first."""
    query = "SELECT record FROM labels WHERE answer_id = ? AND label IS NOT NULL ORDER BY number"
    return tuple(_records(registry, AnswerLabel, query, answer_id))


def labels_on(registry: Registry, candidate_id: str) -> tuple[AnswerLabel, ...]:
    """What people called the answers to one candidate, by answer, oldest first."""
    query = (
        "SELECT record FROM labels WHERE candidate_id = ? AND label IS NOT NULL"
        " ORDER BY json_extract(record, '$.repeat'), number"
    )
    return tuple(_records(registry, AnswerLabel, query, candidate_id))


def all_labels(registry: Registry) -> Iterator[AnswerLabel]:
    """Every label that holds, by answer, then by author."""
    query = "SELECT record FROM labels WHERE label IS NOT NULL ORDER BY answer_id, author"
    yield from _records(registry, AnswerLabel, query)


class Accepted(NamedTuple):
    """Candidates that a person accepted and that are not stable, by what becomes of them."""

    items: int
    pending: int
    without_tier: int


def count_accepted(registry: Registry) -> Accepted:
    """Those of the active seeds."""
    query = (
        "SELECT COALESCE(SUM(machine_status = 'unstable'), 0),"
        " COALESCE(SUM(machine_status <> 'unstable' AND fault IS NULL), 0),"
        " COALESCE(SUM(fault IS NOT NULL), 0)"
        " FROM current_decisions JOIN active_seeds USING (seed_id) WHERE status = 'accepted'"
    )
    return Accepted(*next(_rows(registry, query)))


def count_items(registry: Registry) -> int:
    """Items of the active seeds: stable ones that nobody rejected, unstable ones that a person accepted."""
    queries = (
        "SELECT COUNT(*) FROM items JOIN active_seeds USING (seed_id)"
        " JOIN current_decisions USING (candidate_id) WHERE current_decisions.status = 'stable'",
        "SELECT COUNT(*) FROM current_decisions JOIN active_seeds USING (seed_id)"
        " JOIN stability USING (candidate_id)"
        " WHERE current_decisions.status = 'accepted' AND machine_status = 'unstable'",
    )
    return sum(int(next(_rows(registry, query))[0]) for query in queries)


def next_number(registry: Registry) -> int:
    """The number of what is said next."""
    tables = ("opinions", "labels", "edits")
    highest = (_rows(registry, f"SELECT COALESCE(MAX(number), 0) FROM {table}") for table in tables)
    return 1 + max(int(number) for rows in highest for (number,) in rows)


def told_before(registry: Registry, candidate_id: str, author: str) -> tuple[Opinion, ...]:
    """Everything one person ever decided on a candidate and took back, in the order of writing."""
    query = "SELECT payload FROM events WHERE subject_id = ? AND kind = 'opinion' AND place = ? ORDER BY seq"
    return tuple(_records(registry, Opinion, query, candidate_id, author))


def _records(registry: Registry, kind: type[RecordT], query: str, *values: object) -> Iterator[RecordT]:
    for (record,) in _rows(registry, query, *values):
        yield kind.model_validate_json(record)


def _rows(registry: Registry, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    with translated(registry.path):
        yield from registry.connection.execute(query, values)

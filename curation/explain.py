"""Why something was accepted or not, from stored evidence alone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from curation.directory import Layout
from curation.node import Node
from curation.registry import Registry
from curation.registry.queries import current_decision, nodes_of, repeats_of, seed_of, stability_of
from salitrap.errors import InputError
from salitrap.records import Answer, CertifiedItem, Decision, Judgement, Seed, Stability
from salitrap.records.base import Record


class Explanation(Record):
    """A seed, and for a candidate or an item also its way from c0 and its repeats.

    ``lineage`` runs from c0 to the candidate asked for; for a seed it holds all its candidates.
    ``repeats`` are those of certification only. ``raw`` is set for something that never became a
    candidate, with the rejection as stored.
    """

    subject_id: str
    seed: Seed | None
    lineage: tuple[Node, ...] = ()
    decision: Decision | None = None
    stability: Stability | None = None
    answers: tuple[Answer, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    item: CertifiedItem | None = None
    rejection: dict[str, object] | None = None


def explain(directory: Path, subject_id: str) -> Explanation:
    """Collect what a run knows of an item, a candidate, a seed or a rejected draft.

    ``subject_id`` may be cut short as long as it is unique.

    Raises:
        InputError: nothing, or more than one thing, has this identifier.
        RunDirectoryError: no run here, damaged, or written by a newer version.
    """
    layout = Layout(directory)
    layout.require()
    with closing(Registry.open_reader(layout.registry)) as registry:
        table, key = _found(registry, subject_id)
        match table:
            case "items":
                return _of_item(registry, key)
            case "candidates":
                return _of_candidate(registry, key, None)
            case "seeds":
                return Explanation(
                    subject_id=key, seed=seed_of(registry, key), lineage=nodes_of(registry, key)
                )
            case _:
                return _of_rejection(registry, key)


KEYS = {"items": "item_id", "candidates": "candidate_id", "seeds": "seed_id", "rejections": "subject_id"}


def _found(registry: Registry, subject_id: str) -> tuple[str, str]:
    """Table and full identifier."""
    for table, column in KEYS.items():
        query = f"SELECT DISTINCT {column} FROM {table} WHERE substr({column}, 1, ?) = ? LIMIT 2"
        rows = registry.connection.execute(query, (len(subject_id), subject_id)).fetchall()
        if len(rows) > 1:
            raise InputError(f"{subject_id}: more than one in {table} begins so; give more of the identifier")
        if rows:
            return table, str(rows[0][0])
    raise InputError(f"{subject_id}: no item, candidate or seed of this run; see 'salitrap status'")


def _of_item(registry: Registry, item_id: str) -> Explanation:
    (record,) = registry.connection.execute(
        "SELECT record FROM items WHERE item_id = ?", (item_id,)
    ).fetchone()
    item = CertifiedItem.model_validate_json(record)
    return _of_candidate(registry, item.candidate_id, item)


def _of_candidate(registry: Registry, candidate_id: str, item: CertifiedItem | None) -> Explanation:
    (seed_id,) = registry.connection.execute(
        "SELECT seed_id FROM candidates WHERE candidate_id = ?", (candidate_id,)
    ).fetchone()
    answers, judgements = repeats_of(registry, candidate_id)
    return Explanation(
        subject_id=item.item_id if item else candidate_id,
        seed=seed_of(registry, seed_id),
        lineage=_lineage(nodes_of(registry, seed_id), candidate_id),
        decision=current_decision(registry, candidate_id),
        stability=stability_of(registry, candidate_id),
        answers=tuple(answer for answer in answers if answer.repeat),
        judgements=tuple(judgement for judgement in judgements if judgement.repeat),
        item=item,
    )


def _lineage(nodes: tuple[Node, ...], candidate_id: str) -> tuple[Node, ...]:
    by_id, way = {node.candidate_id: node for node in nodes}, list[Node]()
    step: str | None = candidate_id
    while step is not None:
        way.append(by_id[step])
        step = by_id[step].candidate.parent_id
    return tuple(reversed(way))


def _of_rejection(registry: Registry, subject_id: str) -> Explanation:
    record, seed_id = registry.connection.execute(
        "SELECT record, seed_id FROM rejections WHERE subject_id = ? ORDER BY stage, place LIMIT 1",
        (subject_id,),
    ).fetchone()
    seed = seed_of(registry, seed_id) if seed_id else None
    return Explanation(subject_id=subject_id, seed=seed, rejection=json.loads(record))

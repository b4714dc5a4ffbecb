"""Why something was accepted or not, from stored evidence alone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from curation.dialogues.records import KeptDialogue
from curation.directory import Layout, read_revisions
from curation.node import Node
from curation.opinions import AnswerLabel, Opinion
from curation.registry import Registry
from curation.registry.dialogues import dialogue_of
from curation.registry.people import labels_on, opinions_of
from curation.registry.queries import (
    current_decision,
    nodes_of,
    repeats_of,
    seed_of,
    stability_of,
    viability_of,
)
from curation.score_told import ScoreTold, told_score
from salitrap.errors import InputError
from salitrap.records import Answer, CertifiedItem, Decision, Evaluation, Judgement, Seed, Stability
from salitrap.records.base import Record
from salitrap.settings import Settings


class Explanation(Record):
    """A seed, and for a candidate or an item also its way from c0 and its repeats.

    ``viability`` is what the screen said of a seed asked for, when it was on.
    ``lineage`` runs from c0 to the candidate asked for; for a seed it holds all its candidates.
    ``score`` explains that of the candidate asked for. ``repeats`` are those of certification only. ``raw``
    is set for something that never became a candidate, with the rejection as stored. ``opinions`` and
    ``labels`` are what people said of it.
    """

    subject_id: str
    seed: Seed | None
    viability: Evaluation | None = None
    lineage: tuple[Node, ...] = ()
    decision: Decision | None = None
    stability: Stability | None = None
    answers: tuple[Answer, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    item: CertifiedItem | None = None
    rejection: dict[str, object] | None = None
    score: ScoreTold | None = None
    dialogue: KeptDialogue | None = None
    opinions: tuple[Opinion, ...] = ()
    labels: tuple[AnswerLabel, ...] = ()


def explain(directory: Path, subject_id: str) -> Explanation:
    """Collect what a run knows of an item, a candidate, a seed, a dialogue or a rejected draft.

    ``subject_id`` may be cut short as long as it is unique, and may lack its ``item-`` or ``cand-``.

    Raises:
        InputError: nothing, or more than one thing, has this identifier.
        RunDirectoryError: no run here, damaged, or written by a newer version.
    """
    layout = Layout(directory)
    layout.require()
    settings = read_revisions(layout)[-1].settings
    with closing(Registry.open_reader(layout.registry)) as registry:
        table, key = _found(registry, subject_id)
        match table:
            case "items":
                return _of_item(registry, key, settings)
            case "candidates":
                return _of_candidate(registry, key, None, settings)
            case "seeds":
                return Explanation(
                    subject_id=key,
                    seed=seed_of(registry, key),
                    viability=viability_of(registry, key),
                    lineage=nodes_of(registry, key),
                )
            case "dialogues":
                return _of_dialogue(registry, key)
            case _:
                return _of_rejection(registry, key)


MOST_LISTED = 6
KEYS = {
    "items": "item_id",
    "candidates": "candidate_id",
    "seeds": "seed_id",
    "dialogues": "dialogue_id",
    "rejections": "subject_id",
}


def _found(registry: Registry, subject_id: str) -> tuple[str, str]:
    """Table and full identifier; a seed that is also a rejection of the same name is one subject."""
    found = _beginning(registry, subject_id, bare=False) or _beginning(registry, subject_id, bare=True)
    if not found:
        raise InputError(
            f"{subject_id}: no item, candidate, seed or dialogue of this run; see 'salitrap status'"
        )
    if len(found) > 1:
        listed = ", ".join(list(found)[:MOST_LISTED])
        more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
        raise InputError(f"{subject_id}: begins {listed}{more}; give more of the identifier")
    ((key, table),) = found.items()
    return table, key


def _beginning(registry: Registry, start: str, *, bare: bool) -> dict[str, str]:
    """Table by identifier of all that begin so; ``bare`` compares what follows the first hyphen."""
    found: dict[str, str] = {}
    for table, column in KEYS.items():
        compared = f"substr({column}, instr({column}, '-') + 1)" if bare else column
        query = f"SELECT DISTINCT {column} FROM {table} WHERE substr({compared}, 1, ?) = ? ORDER BY 1"
        for (key,) in registry.connection.execute(query, (len(start), start)):
            found.setdefault(str(key), table)
    return found


def _of_item(registry: Registry, item_id: str, settings: Settings) -> Explanation:
    (record,) = registry.connection.execute(
        "SELECT record FROM items WHERE item_id = ?", (item_id,)
    ).fetchone()
    item = CertifiedItem.model_validate_json(record)
    return _of_candidate(registry, item.candidate_id, item, settings)


def _of_candidate(
    registry: Registry, candidate_id: str, item: CertifiedItem | None, settings: Settings
) -> Explanation:
    (seed_id,) = registry.connection.execute(
        "SELECT seed_id FROM candidates WHERE candidate_id = ?", (candidate_id,)
    ).fetchone()
    answers, judgements = repeats_of(registry, candidate_id)
    nodes = nodes_of(registry, seed_id)
    node = next(one for one in nodes if one.candidate_id == candidate_id)
    return Explanation(
        subject_id=item.item_id if item else candidate_id,
        seed=seed_of(registry, seed_id),
        lineage=_lineage(nodes, candidate_id),
        decision=current_decision(registry, candidate_id),
        stability=stability_of(registry, candidate_id),
        answers=tuple(answer for answer in answers if answer.repeat),
        judgements=tuple(judgement for judgement in judgements if judgement.repeat),
        item=item,
        score=told_score(node, nodes, settings),
        opinions=opinions_of(registry, candidate_id),
        labels=labels_on(registry, candidate_id),
    )


def _of_dialogue(registry: Registry, dialogue_id: str) -> Explanation:
    kept = dialogue_of(registry, dialogue_id)
    assert kept is not None  # it was found by this id
    return Explanation(subject_id=dialogue_id, seed=seed_of(registry, kept.dialogue.seed_id), dialogue=kept)


def _lineage(nodes: tuple[Node, ...], candidate_id: str) -> tuple[Node, ...]:
    by_id, way = {node.candidate_id: node for node in nodes}, list[Node]()
    step: str | None = candidate_id
    while step in by_id:  # the parent of an edited text may be gone under other settings
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

"""Work of another run on its seeds: refinement, certification, dialogues, and what people said."""

from __future__ import annotations

import json
from collections.abc import Iterator

from curation.registry import Batch, Event, Registry, WorkState
from curation.registry.events import EventKind
from curation.registry.people import next_number
from salitrap.records import Stage

STAGES = (Stage.REFINE, Stage.CERTIFY, Stage.DIALOGUES)
PEOPLE = (EventKind.OPINION, EventKind.LABEL, EventKind.EDIT)


def take_unit(registry: Registry, source: Registry, seed_id: str) -> bool:
    """Take over all that ``source`` did on a seed; True when it differs from what is there.

    Where both worked on the seed, what is there holds, unless it is not finished and the other is; the
    other's events are written first, so that both histories are kept.
    """
    theirs = [batch for stage in STAGES if (batch := batch_of(source, stage, seed_id)) is not None]
    ours = [batch for stage in STAGES if (batch := batch_of(registry, stage, seed_id)) is not None]
    if [batch.digest for batch in theirs] == [batch.digest for batch in ours]:
        return False
    winner, loser = (ours, theirs) if _is_whole(ours) or not _is_whole(theirs) else (theirs, ours)
    if not ours:
        winner, loser = theirs, []
    for batch in (*loser, *winner):
        registry.write(batch)
    return bool(theirs)


def batch_of(registry: Registry, stage: Stage, seed_id: str) -> Batch | None:
    """What a stage came to for a seed, as it was written; None when it was never there."""
    query = "SELECT fingerprint, digest, state, record FROM seed_state WHERE stage = ? AND seed_id = ?"
    row = registry.connection.execute(query, (stage, seed_id)).fetchone()
    if row is None:
        return None
    fingerprint, digest, state, summary = row
    return Batch(
        stage=stage,
        fingerprint=fingerprint,
        events=tuple(_events(registry, fingerprint, digest)),
        seed_id=seed_id,
        state=WorkState(state),
        summary=json.loads(summary),
    )


def take_people(registry: Registry, source: Registry) -> int:
    """Take over what people said, numbered after what is there; returns how many things."""
    before, taken = next_number(registry) - 1, 0
    kinds = ", ".join(f"'{kind.value}'" for kind in PEOPLE)
    query = (
        "SELECT fingerprint, seed_id, kind, subject_id, place, payload FROM events"
        f" WHERE kind IN ({kinds}) ORDER BY seq"
    )
    for fingerprint, seed_id, kind, subject, place, payload in source.connection.execute(query):
        told = json.loads(payload)
        if _is_there(registry, kind, subject, place, told):
            continue
        told["number"] += before
        event = Event(EventKind(kind), subject, told, seed_id, place)
        registry.write(Batch(Stage.REVIEW, fingerprint, (event,), seed_id=seed_id, replace=False))
        taken += 1
    return taken


def _is_there(registry: Registry, kind: str, subject: str, place: str, told: dict[str, object]) -> bool:
    """The same was said at the same moment by the same person."""
    query = (
        "SELECT 1 FROM events WHERE kind = ? AND subject_id = ? AND place = ?"
        " AND json_extract(payload, '$.written_at') = ?"
    )
    values = (kind, subject, place, told["written_at"])
    return registry.connection.execute(query, values).fetchone() is not None


def _is_whole(batches: list[Batch]) -> bool:
    """True when certification came to its end."""
    done = {batch.stage for batch in batches if batch.state is WorkState.DONE}
    return {Stage.REFINE, Stage.CERTIFY} <= done


def _events(registry: Registry, fingerprint: str, digest: str) -> Iterator[Event]:
    query = (
        "SELECT kind, subject_id, payload, seed_id, place FROM events"
        " WHERE fingerprint = ? AND batch = ? AND kind <> 'state' ORDER BY seq"
    )
    for kind, subject, payload, seed_id, place in registry.connection.execute(query, (fingerprint, digest)):
        yield Event(EventKind(kind), subject, json.loads(payload), seed_id, place)

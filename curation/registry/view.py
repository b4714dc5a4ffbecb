"""How each kind of event changes the current view."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from curation.opinions import Opinion
from curation.registry.events import EventKind
from salitrap.records import Judgement, Stage

OF_STAGE: Mapping[Stage, tuple[str, ...]] = {
    Stage.SCALE: ("seeds", "waves", "reviews", "viability"),
    Stage.REFINE: ("candidates", "evaluations"),
    Stage.CERTIFY: ("stability", "items"),
    Stage.DIALOGUES: ("dialogues",),
    Stage.RECERTIFY: ("recertified",),
    Stage.REVIEW: (),
}
RESTS_ON: Mapping[Stage, Stage] = {Stage.REFINE: Stage.CERTIFY, Stage.CERTIFY: Stage.DIALOGUES}
"""The stage whose outcome falls with that of another."""

SHARED = ("answers", "judgements", "decisions")


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as a row of the events table."""

    fingerprint: str
    stage: Stage
    kind: EventKind
    subject_id: str
    seed_id: str | None
    place: str
    payload: Mapping[str, Any]

    @property
    def record(self) -> str:
        """The payload as stored."""
        return stored_json(self.payload)


def stored_json(value: Any) -> str:
    """JSON for the database: sorted keys, ASCII, every text exactly as it was."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def apply(connection: sqlite3.Connection, event: StoredEvent) -> None:
    """Put one event into the view; events of kind ``state`` are the caller's."""
    table, row = ROWS[event.kind](event)
    columns = {**row, "fingerprint": event.fingerprint, "record": event.record}
    marks = ", ".join("?" for _ in columns)
    statement = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks})"
    connection.execute(statement, tuple(columns.values()))


def clear(connection: sqlite3.Connection, stage: Stage, seed_id: str | None) -> None:
    """Take the rows of one unit of work out of the view.

    Without a seed the stage as a whole is cleared. Stability rests on refinement, and dialogues on items:
    clearing a seed's candidates clears what was certified of them, and what was made of that.
    """
    where, values = ("seed_id = ?", (seed_id,)) if seed_id is not None else ("1", ())
    for table in OF_STAGE[stage]:
        connection.execute(f"DELETE FROM {table} WHERE {where}", values)
    for table in SHARED:
        connection.execute(f"DELETE FROM {table} WHERE stage = ? AND {where}", (stage, *values))
    connection.execute(f"DELETE FROM rejections WHERE stage = ? AND {where}", (stage, *values))
    connection.execute(f"DELETE FROM seed_state WHERE stage = ? AND {where}", (stage, *values))
    if stage in RESTS_ON:
        clear(connection, RESTS_ON[stage], seed_id)


Row = tuple[str, dict[str, Any]]


def _seed(event: StoredEvent) -> Row:
    position, cell_rank = event.place.split("/")
    wanted = ("dimension_tag", "language", "origin")
    cell = {name: event.payload[name] for name in wanted}
    return "seeds", {
        "seed_id": event.subject_id,
        "position": int(position),
        "cell_rank": int(cell_rank),
        **cell,
    }


def _wave(event: StoredEvent) -> Row:
    return "waves", {"number": int(event.place)}


def _review(event: StoredEvent) -> Row:
    return "reviews", {"subject_id": event.subject_id, "place": event.place}


def _viability(event: StoredEvent) -> Row:
    return "viability", {"seed_id": event.subject_id}


def _rejection(event: StoredEvent) -> Row:
    return "rejections", {
        "stage": event.stage,
        "subject_id": event.subject_id,
        "place": event.place,
        "seed_id": event.seed_id,
        "fault": event.payload["fault"],
    }


def _candidate(event: StoredEvent) -> Row:
    return "candidates", {
        "candidate_id": event.subject_id,
        "seed_id": event.seed_id,
        "ordinal": event.payload["ordinal"],
        "parent_id": event.payload["parent_id"],
    }


def _evaluation(event: StoredEvent) -> Row:
    return "evaluations", {"subject_id": event.subject_id, "checker": event.place, "seed_id": event.seed_id}


def _answer(event: StoredEvent) -> Row:
    return "answers", {
        "candidate_id": event.subject_id,
        "repeat": int(event.place),
        "stage": event.stage,
        "seed_id": event.seed_id,
    }


def _judgement(event: StoredEvent) -> Row:
    """``disputed`` stands in a column of its own, so that the queue need not read every record."""
    return "judgements", {**_answer(event)[1], "disputed": int(_is_disputed(event.payload))}


def _is_disputed(payload: Mapping[str, Any]) -> bool:
    """True when the judges of a panel differ, or the judge and the rules."""
    if not payload.get("votes") and payload.get("second_label") is None:
        return False
    judgement = Judgement.model_validate(payload)
    return judgement.disputed or judgement.doubted


def _decision(event: StoredEvent) -> Row:
    told = {name: event.payload[name] for name in ("status", "route", "fault", "score")}
    return "decisions", {
        "candidate_id": event.subject_id,
        "stage": event.stage,
        "seed_id": event.seed_id,
        **told,
    }


def _stability(event: StoredEvent) -> Row:
    return "stability", {"candidate_id": event.subject_id, "seed_id": event.seed_id}


def _item(event: StoredEvent) -> Row:
    return "items", {
        "item_id": event.subject_id,
        "seed_id": event.seed_id,
        "candidate_id": event.payload["candidate_id"],
        "rank": int(event.place),
    }


def _opinion(event: StoredEvent) -> Row:
    opinion = Opinion.model_validate(event.payload)
    return "opinions", {
        "candidate_id": event.subject_id,
        "author": opinion.author,
        "seed_id": event.seed_id,
        "number": opinion.number,
        "verdict": opinion.verdict.value,
        "told": opinion.told,
    }


def _label(event: StoredEvent) -> Row:
    return "labels", {
        "answer_id": event.subject_id,
        "author": event.payload["author"],
        "candidate_id": event.payload["candidate_id"],
        "seed_id": event.seed_id,
        "number": event.payload["number"],
        "label": event.payload["label"],
    }


def _edit(event: StoredEvent) -> Row:
    return "edits", {
        "candidate_id": event.subject_id,
        "seed_id": event.seed_id,
        "number": event.payload["number"],
        "withdrawn": int(event.payload["withdrawn"]),
    }


def _dialogue(event: StoredEvent) -> Row:
    dialogue = event.payload["dialogue"]
    told = {name: dialogue[name] for name in ("pattern", "control", "twin_of")}
    return "dialogues", {
        "dialogue_id": event.subject_id,
        "seed_id": event.seed_id,
        "place": int(event.place),
        "status": event.payload["status"],
        **told,
    }


def _recertified(event: StoredEvent) -> Row:
    return "recertified", {"item_id": event.subject_id, "seed_id": event.seed_id}


ROWS: Mapping[EventKind, Callable[[StoredEvent], Row]] = {
    EventKind.SEED: _seed,
    EventKind.WAVE: _wave,
    EventKind.REVIEW: _review,
    EventKind.VIABILITY: _viability,
    EventKind.REJECTION: _rejection,
    EventKind.CANDIDATE: _candidate,
    EventKind.EVALUATION: _evaluation,
    EventKind.ANSWER: _answer,
    EventKind.JUDGEMENT: _judgement,
    EventKind.DECISION: _decision,
    EventKind.STABILITY: _stability,
    EventKind.ITEM: _item,
    EventKind.OPINION: _opinion,
    EventKind.LABEL: _label,
    EventKind.EDIT: _edit,
    EventKind.DIALOGUE: _dialogue,
    EventKind.RECERTIFIED: _recertified,
}

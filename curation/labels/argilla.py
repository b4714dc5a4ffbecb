"""Rows as records of Argilla 2, and the responses of its annotators back as rows.

The form is that of ``rg.Record.to_dict``: the machine's label is a suggestion, people answer. Argilla itself
is not needed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from curation.labels.rows import FILLED, TEXTS, Row, What

QUESTION = {What.ANSWERS: "label", What.CANDIDATES: "decision"}
SUGGESTED = {What.ANSWERS: "machine_label", What.CANDIDATES: "machine_status"}
AGENT = "salitrap"
UNFINISHED = frozenset({"draft", "discarded", "pending"})
"""Statuses of responses that nobody has submitted; an export without statuses has submitted ones only."""


def argilla_records(rows: Iterable[Row], what: What) -> Iterator[dict[str, Any]]:
    """One record a row; its id is the answer's or the candidate's."""
    for row in rows:
        kept = {*TEXTS[what], *FILLED[what]}
        metadata = {name: text for name, text in row.items() if name not in kept}
        suggested = row[SUGGESTED[what]] if what is What.ANSWERS else ""
        yield {
            "id": _id(row, what),
            "fields": {name: row[name] for name in TEXTS[what]},
            "metadata": metadata,
            "suggestions": {QUESTION[what]: _suggestion(suggested)} if suggested else {},
            "responses": {},
            "vectors": {},
        }


def _suggestion(value: str) -> dict[str, Any]:
    return {"value": value, "score": None, "agent": AGENT}


def rows_of_record(record: dict[str, Any], what: What) -> Iterator[Row]:
    """One row for each annotator who answered; texts and keys come from fields and metadata.

    Only what was submitted is filled in; who submitted nothing has a row with that ``status``.

    Raises:
        ValueError: it is no such record.
    """
    fields, metadata, responses = (record.get(name) for name in ("fields", "metadata", "responses"))
    if not isinstance(fields, dict) or not isinstance(metadata, dict) or not isinstance(responses, dict):
        raise ValueError("no record of Argilla: fields, metadata or responses are missing")
    for user in _users(responses):
        filled = {name: _said(responses, name, user) for name in FILLED[what] if name != "reviewer"}
        texts = {name: str(value) for name, value in (fields | metadata).items()}
        status = "" if any(filled.values()) else _status(responses, user)
        yield {**texts, **filled, "reviewer": user, "status": status}


def _users(responses: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(_user(one) for one in _given(responses)))


def _given(responses: dict[str, Any]) -> list[Any]:
    return [one for said in responses.values() if isinstance(said, list) for one in said]


def _status(responses: dict[str, Any], user: str) -> str:
    """The status of what ``user`` has not submitted; empty when everything was."""
    mine = [one for one in _given(responses) if _user(one) == user]
    return next((str(one["status"]) for one in mine if not _is_submitted(one)), "")


def _said(responses: dict[str, Any], question: str, user: str) -> str:
    given = responses.get(question)
    found = (
        [one for one in given if _user(one) == user and _is_submitted(one)] if isinstance(given, list) else []
    )
    value = found[-1].get("value") if found else ""
    return "" if value is None else str(value)


def _user(response: Any) -> str:
    if not isinstance(response, dict):
        raise ValueError("a response is not an object with value and user_id")
    return str(response.get("user_id") or "")


def _is_submitted(response: Any) -> bool:
    return not isinstance(response, dict) or response.get("status") not in UNFINISHED


def _id(row: Row, what: What) -> str:
    return f"{row['candidate_id']}/{row['repeat']}" if what is What.ANSWERS else row["candidate_id"]

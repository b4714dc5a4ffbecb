"""The current view of a registry as plain rows, for comparing runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curation.registry import Registry

ORDER = {
    "seeds": "position",
    "waves": "number",
    "reviews": "subject_id, place",
    "rejections": "stage, subject_id, place",
    "candidates": "candidate_id",
    "evaluations": "subject_id, checker",
    "answers": "candidate_id, repeat",
    "judgements": "candidate_id, repeat",
    "decisions": "candidate_id, stage",
    "stability": "candidate_id",
    "items": "item_id",
    "opinions": "candidate_id, author",
    "labels": "answer_id, author",
    "edits": "candidate_id",
    "seed_state": "stage, seed_id",
}


def view(directory: Path) -> dict[str, list[Any]]:
    registry = Registry.open_reader(directory / "registry.sqlite")
    try:
        return {
            table: registry.connection.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
            for table, order in ORDER.items()
        }
    finally:
        registry.close()


def count(directory: Path, query: str) -> int:
    registry = Registry.open_reader(directory / "registry.sqlite")
    try:
        (number,) = registry.connection.execute(query).fetchone()
    finally:
        registry.close()
    return int(number)

"""``events.jsonl``, ``rejects.jsonl``, ``reviews.jsonl``: the registry for people and other tools.

They are written whole, next to the old file, and put in its place at the end: a torn line cannot
occur, and the registry stays the only source of truth.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

from curation.directory.layout import Layout
from curation.registry.dialogues import rejected_dialogues
from curation.registry.queries import all_events, rejections, reviews
from curation.registry.registry import Registry
from salitrap.errors import DiskFull

LINE_BREAKS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Marks that JSON leaves as they are and many readers of text take for the end of a line."""


def write_derived(layout: Layout, registry: Registry) -> None:
    """Write the files.

    Raises:
        DiskFull: a file could not be written; the earlier one is untouched.
    """
    with closing(all_events(registry)) as events:
        write_lines(layout.events, events)
    with closing(rejections(registry)) as rejected:
        every = chain(rejected, rejected_dialogues(registry))
        write_lines(layout.rejects, (rejection.model_dump(mode="json") for rejection in every))
    write_lines(layout.reviews, (review.model_dump(mode="json") for review in reviews(registry)))


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON row a line, atomically.

    Raises:
        DiskFull: the file could not be written; the earlier one is untouched.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_line(row) for row in rows)
        part.replace(path)
    except OSError as error:
        raise DiskFull(
            f"{path}: could not be written ({error.strerror or error}); free some space"
        ) from error


def _line(row: Mapping[str, Any]) -> str:
    """One row; half a character from a model's reply is escaped, everything else stays readable."""
    text = json.dumps(row, ensure_ascii=False, sort_keys=True).translate(LINE_BREAKS)
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = json.dumps(row, sort_keys=True)
    return f"{text}\n"

"""The dialogues of an evaluation, and which version of which dataset they are."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.layout import DIALOGUES
from exports.evaluation.dataset_rows import manifest_of, revision_of, rows_of
from exports.evaluation.window import checked_window, dialogues_came_back
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.enums import Language
from salitrap.records.ids import sha256_text


class DialogueSet(Record):
    """Dialogues in the order of the dataset, each trap dialogue before its controls."""

    name: str
    revision: str
    rows: tuple[PublishedDialogue, ...]


def load_dialogues(
    folder: Path,
    *,
    split: str = "test",
    language: Language | None = None,
    limit: int | None = None,
    as_of: str | None = None,
    added_since: str | None = None,
) -> DialogueSet:
    """Read the dialogues of one split (or ``all``), in one language or all, checked against the manifest.

    ``as_of`` and ``added_since`` are as for items. ``limit`` keeps that many trap dialogues, each with its
    controls: without them false alarms and the penalty of several turns could not be told. They are chosen
    as items are, by a hash of their ids.

    Raises:
        InputError: no dataset folder, no dialogues in it, no such split, nothing in that language, version or
            time, or a file that differs from the manifest.
    """
    manifest = manifest_of(folder)
    window = checked_window(manifest, as_of, added_since)
    held = [
        *rows_of(folder, manifest, DIALOGUES, split, PublishedDialogue),
        *dialogues_came_back(folder, manifest, split, window),
    ]
    rows = tuple(row for row in held if language in (None, row.language) and window.holds(row))
    if not rows:
        told = f" in language {language}" if language else ""
        raise InputError(f"{folder}: no dialogues{told} in split {split!r}{window.told}")
    return DialogueSet(name=manifest.name, revision=revision_of(folder, manifest), rows=_limited(rows, limit))


def _limited(rows: tuple[PublishedDialogue, ...], limit: int | None) -> tuple[PublishedDialogue, ...]:
    if limit is None:
        return rows
    chosen = set(sorted({_trap_of(row) for row in rows}, key=sha256_text)[:limit])
    return tuple(row for row in rows if _trap_of(row) in chosen)


def _trap_of(row: PublishedDialogue) -> str:
    """The trap dialogue that a row is, or is a control of."""
    return row.twin_of or row.dialogue_id

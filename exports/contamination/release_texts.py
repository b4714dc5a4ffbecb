"""The texts of a release that must not be in a training corpus."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.layout import DIALOGUES, ITEMS
from exports.evaluation.dataset_rows import ALL_SPLITS, manifest_of, rows_of
from salitrap.records.base import Record
from salitrap.records.enums import Language
from salitrap.records.item import Item


class ReleaseText(Record):
    """A prompt, or what the user says in a dialogue, with the id it goes by."""

    text_id: str
    text: str
    language: Language
    dimension_tag: str


def release_texts(folder: Path) -> tuple[str, tuple[ReleaseText, ...]]:
    """Return the canary of a dataset folder, its prompts, and the user turns of its dialogues.

    Raises:
        InputError: no dataset folder, or a file that differs from the manifest.
    """
    manifest = manifest_of(folder)
    texts = [
        _text(item.item_id, item.prompt, item) for item in rows_of(folder, manifest, ITEMS, ALL_SPLITS, Item)
    ]
    if DIALOGUES in manifest.configs:
        for row in rows_of(folder, manifest, DIALOGUES, ALL_SPLITS, PublishedDialogue):
            turns = [turn.content for turn in row.turns if turn.role == "user"]
            texts.append(_text(row.dialogue_id, "\n".join(turns), row))
    return manifest.canary, tuple(texts)


def _text(text_id: str, text: str, row: Item | PublishedDialogue) -> ReleaseText:
    return ReleaseText(text_id=text_id, text=text, language=row.language, dimension_tag=row.dimension_tag)

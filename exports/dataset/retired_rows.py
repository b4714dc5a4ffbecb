"""Dialogues that an earlier version took out."""

from __future__ import annotations

from pathlib import Path

from exports.dataset.dialogue_rows import RetiredDialogue
from exports.dataset.history import config_rows
from exports.dataset.layout import RETIRED_DIALOGUES
from exports.dataset.manifest import read_manifest
from salitrap.errors import InputError


def retired_dialogues(previous: Path | None) -> tuple[RetiredDialogue, ...]:
    """Return those of the dataset folder ``previous``; none without one.

    Raises:
        InputError: it is no dataset folder, or a file of it is damaged.
    """
    if previous is None:
        return ()
    try:
        rows = config_rows(previous, read_manifest(previous), RETIRED_DIALOGUES)
        return tuple(RetiredDialogue.model_validate(row) for row in rows)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{previous}: cannot be read as a dataset ({error}); verify the folder") from error

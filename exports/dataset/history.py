"""What an earlier version of the dataset hands on to the next one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exports.dataset.features import ID_OF
from exports.dataset.layout import CHANGELOG, DIALOGUES, ITEMS, RETIRED
from exports.dataset.manifest import Manifest, read_manifest
from exports.dataset.release import Release, version_key
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.item import RetiredItem


class Added(Record):
    """The version in which a row first appeared, the day of that version, and the item it revises."""

    version: str
    date: str | None = None
    parent_id: str | None = None


class History(Record):
    """Version of the predecessor (None without one), where its rows came from, what it retired, changelog.

    ``added_in`` and ``dialogues`` are by id.
    """

    since: str | None = None
    added_in: dict[str, Added] = {}
    dialogues: dict[str, Added] = {}
    retired: tuple[RetiredItem, ...] = ()
    changelog: str = ""


def read_history(previous: Path | None, release: Release) -> History:
    """Read the dataset folder that ``release`` succeeds.

    Raises:
        InputError: it is no dataset folder, a file of it is damaged, or its version is not lower.
    """
    if previous is None:
        return History()
    manifest = read_manifest(previous)
    if version_key(manifest.version) >= version_key(release.version):
        raise InputError(
            f"{previous}: holds version {manifest.version}; version {release.version} has to be higher"
        )
    try:
        changelog = (previous / CHANGELOG).read_text(encoding="utf-8")
        return History(
            since=manifest.version,
            added_in=_added_in(previous, manifest, ITEMS),
            dialogues=_added_in(previous, manifest, DIALOGUES),
            retired=tuple(
                RetiredItem.model_validate(row) for row in config_rows(previous, manifest, RETIRED)
            ),
            changelog=changelog,
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{previous}: cannot be read as a dataset ({error}); verify the folder") from error


def _added_in(folder: Path, manifest: Manifest, config: str) -> dict[str, Added]:
    return {row[ID_OF[config]]: _added(row) for row in config_rows(folder, manifest, config)}


def _added(row: dict[str, Any]) -> Added:
    """Datasets of earlier releases have the version alone."""
    return Added(version=row["version_added"], date=row.get("date_added"), parent_id=row.get("parent_id"))


def config_rows(folder: Path, manifest: Manifest, config: str) -> Iterator[dict[str, Any]]:
    """Rows of all splits; none of a configuration that a dataset need not have."""
    if config not in manifest.configs and config != ITEMS:
        return
    for split in manifest.configs[config].splits.values():
        for line in (folder / split.jsonl).read_text(encoding="utf-8").split("\n"):
            if line:
                yield json.loads(line)

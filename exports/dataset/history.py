"""What an earlier version of the dataset hands on to the next one."""

from __future__ import annotations

import json
from pathlib import Path

from exports.dataset.features import ID_OF
from exports.dataset.layout import CHANGELOG, DIALOGUES, ITEMS
from exports.dataset.manifest import Manifest, read_manifest
from exports.dataset.release import Release, version_key
from salitrap.errors import InputError
from salitrap.records.base import Record


class History(Record):
    """Version of the predecessor (None without one), first version of each id, changelog text."""

    since: str | None = None
    added_in: dict[str, str] = {}
    dialogues: dict[str, str] = {}
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
            changelog=changelog,
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{previous}: cannot be read as a dataset ({error}); verify the folder") from error


def _added_in(folder: Path, manifest: Manifest, config: str) -> dict[str, str]:
    if config not in manifest.configs and config != ITEMS:
        return {}
    rows = (
        json.loads(line)
        for split in manifest.configs[config].splits.values()
        for line in (folder / split.jsonl).read_text(encoding="utf-8").split("\n")
        if line
    )
    return {row[ID_OF[config]]: row["version_added"] for row in rows}

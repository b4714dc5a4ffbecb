"""manifest.json: what a dataset folder holds, so that anybody can check it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from exports.dataset.facts import JudgeStanding, ScreeningCounts
from exports.dataset.layout import MANIFEST
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.ids import sha256_text

KIND = "salitrap-dataset"
FORMAT = 1


class FileEntry(Record):
    """One file: path with forward slashes, SHA-256 of the bytes, size in bytes, rows if it is a table."""

    path: str
    sha256: str
    bytes: int
    rows: int | None = None


class SplitEntry(Record):
    """One split: rows, and the SHA-256 of its item ids in row order, joined by line feeds."""

    rows: int
    ids_sha256: str
    parquet: str
    jsonl: str


class ConfigEntry(Record):
    """One configuration: its columns with their types, and its splits."""

    columns: dict[str, str]
    splits: dict[str, SplitEntry]


class WithheldEntry(Record):
    """An item that came in and was not published, and why."""

    item_id: str
    fault: str
    reason: str


class Manifest(Record):
    """Everything a reader needs to verify a folder; it covers every file but itself.

    ``card_sha256`` is the hash of the generated part of the card, up to and including the line
    below which hand-written notes are kept. ``judge`` says whether the judge is calibrated. ``date`` is the
    day of this version, None where nobody said.
    """

    kind: str = KIND
    format: int = FORMAT
    name: str
    version: str
    license: str
    simulated: bool
    canary: str
    dev_share: float
    holdout_share: float = 0.0
    is_holdout: bool = False
    date: str | None = None
    tool_version: str
    writer: str
    settings_hash: str
    models: dict[str, tuple[str, ...]]
    prompts: dict[str, str]
    funnel: tuple[tuple[str, int], ...]
    withheld: tuple[WithheldEntry, ...]
    configs: dict[str, ConfigEntry]
    card_sha256: str
    judge: JudgeStanding | None = None
    screening: ScreeningCounts | None = None
    files: tuple[FileEntry, ...]


def file_entry(path: str, content: bytes, rows: int | None = None) -> FileEntry:
    """Describe a file of the folder."""
    return FileEntry(path=path, sha256=hashlib.sha256(content).hexdigest(), bytes=len(content), rows=rows)


def ids_hash(item_ids: Iterable[str]) -> str:
    """Return the hash of a split's id list, in row order."""
    return sha256_text("\n".join(item_ids))


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return the manifest as indented JSON, keys in the order of the record."""
    text = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2)
    return (text + "\n").encode("utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a dataset folder.

    Raises:
        InputError: there is none, it is not one of ours, or it is damaged.
    """
    path = folder / MANIFEST
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); is this a dataset folder?") from error
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); build the dataset again") from error
    if not isinstance(value, dict) or value.get("kind") != KIND:
        raise InputError(f"{path}: not the manifest of a SaliTrap dataset")
    if value.get("format") != FORMAT:
        raise InputError(
            f"{path}: format {value.get('format')!r}, this version reads {FORMAT}; update SaliTrap"
        )
    return _validated(path, value)


def _validated(path: Path, value: object) -> Manifest:
    try:
        return Manifest.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: {where}: {first['msg']}; build the dataset again") from error

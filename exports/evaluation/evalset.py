"""The items of an evaluation, and exactly which version of which dataset they are."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from exports.dataset.layout import ITEMS, MANIFEST
from exports.dataset.manifest import Manifest, read_manifest
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.enums import Language
from salitrap.records.ids import sha256_text
from salitrap.records.item import Item

ALL_SPLITS = "all"
REVISION_DIGITS = 12


class Evalset(Record):
    """Items in the order of the dataset.

    ``revision`` is the version and the start of the SHA-256 of the manifest, which covers every row:
    equal revisions mean equal items.
    """

    name: str
    revision: str
    items: tuple[Item, ...]


def load_evalset(
    folder: Path, *, split: str = "test", language: Language | None = None, limit: int | None = None
) -> Evalset:
    """Read the items of one split (or ``all``), in one language or all, checked against the manifest.

    ``limit`` keeps that many items, chosen by a hash of their ids: the same for everyone, spread over
    all dimensions, and a larger limit only adds.

    Raises:
        InputError: no dataset folder, no such split, nothing in that language, or a file that differs
            from the manifest.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give a dataset folder made by salitrap build")
    manifest = read_manifest(folder)
    rows = [item for name in _splits(folder, manifest, split) for item in _rows(folder, manifest, name)]
    items = tuple(item for item in rows if language in (None, item.language))
    if not items:
        raise InputError(f"{folder}: no items in language {language} in split {split!r}")
    return Evalset(name=manifest.name, revision=_revision(folder, manifest), items=limited(items, limit))


def limited(items: tuple[Item, ...], limit: int | None) -> tuple[Item, ...]:
    """Return the ``limit`` items whose ids have the smallest hash, in their old order."""
    if limit is None or limit >= len(items):
        return items
    chosen = set(sorted((item.item_id for item in items), key=sha256_text)[:limit])
    return tuple(item for item in items if item.item_id in chosen)


def _splits(folder: Path, manifest: Manifest, split: str) -> list[str]:
    held = list(manifest.configs[ITEMS].splits)
    if split == ALL_SPLITS:
        return held
    if split not in held:
        raise InputError(f"{folder}: no split {split!r}; it has {', '.join(held)}, or {ALL_SPLITS!r}")
    return [split]


def _rows(folder: Path, manifest: Manifest, split: str) -> list[Item]:
    path = folder / manifest.configs[ITEMS].splits[split].jsonl
    content = _checked(path, path.relative_to(folder).as_posix(), manifest)
    lines = content.decode("utf-8").split("\n")
    return [_item(path, number, line) for number, line in enumerate(lines, 1) if line]


def _checked(path: Path, name: str, manifest: Manifest) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); build or fetch it again") from error
    wanted = next((entry.sha256 for entry in manifest.files if entry.path == name), None)
    if hashlib.sha256(content).hexdigest() != wanted:
        raise InputError(f"{path}: differs from {MANIFEST}; build or fetch the dataset again")
    return content


def _item(path: Path, number: int, line: str) -> Item:
    try:
        return Item.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}:{number}: field {where}: {first['msg']}; build it again") from error


def _revision(folder: Path, manifest: Manifest) -> str:
    digest = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    return f"{manifest.version}+{digest[:REVISION_DIGITS]}"

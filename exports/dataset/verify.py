"""Check a dataset folder against its manifest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import yaml

from exports.dataset.existing import files_in, unlisted
from exports.dataset.findings import FolderFault, FolderFinding, finding
from exports.dataset.layout import CARD, MANIFEST
from exports.dataset.manifest import FileEntry, Manifest, read_manifest
from exports.dataset.verify_tables import table_findings
from salitrap.errors import InputError

_FRONT_MATTER = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
_NOT_OURS = (".git/", ".cache/", ".huggingface/", ".gitattributes")


def verify_folder(folder: Path) -> tuple[FolderFinding, ...]:
    """Check files, hashes, columns, id lists, families and card; an empty result means sound.

    Files that version control and download caches put there are passed over.

    Raises:
        InputError: there is no such folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    try:
        manifest = read_manifest(folder)
    except InputError as error:
        return (FolderFinding(fault=FolderFault.BAD_MANIFEST, path=MANIFEST, message=str(error)),)
    damaged = tuple(_file_findings(folder, manifest))
    sound = {entry.path for entry in manifest.files} - {found.path for found in damaged}
    tables = tuple(table_findings(folder, manifest, sound))
    card = tuple(_card_findings(folder, manifest)) if CARD in sound else ()
    return damaged + tables + card


def _file_findings(folder: Path, manifest: Manifest) -> Iterator[FolderFinding]:
    for entry in manifest.files:
        yield from _entry_findings(folder, entry)
    for path in unlisted(files_in(folder), manifest):
        if not path.startswith(_NOT_OURS):
            yield finding(FolderFault.UNLISTED_FILE, path, "not in the manifest; remove it or build again")


def _entry_findings(folder: Path, entry: FileEntry) -> Iterator[FolderFinding]:
    path = folder / entry.path
    if not is_inside(entry.path) or not path.resolve().is_relative_to(folder.resolve()):
        yield finding(FolderFault.BAD_PATH, entry.path, "leads out of the folder; do not use this dataset")
    elif not path.is_file():
        yield finding(FolderFault.MISSING_FILE, entry.path, "missing; fetch or build the dataset again")
    elif path.stat().st_size != entry.bytes or _sha256(path) != entry.sha256:
        yield finding(FolderFault.CHANGED_FILE, entry.path, "differs from the manifest; fetch or build again")


def is_inside(path: str) -> bool:
    """Say whether a path of a manifest is relative, without ``..``, drive or backslash."""
    pure = PurePosixPath(path)
    return not (pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _card_findings(folder: Path, manifest: Manifest) -> Iterator[FolderFinding]:
    head = _FRONT_MATTER.match((folder / CARD).read_text(encoding="utf-8", errors="replace"))
    try:
        block = yaml.safe_load(head[1]) if head else None
    except yaml.YAMLError as error:
        yield finding(FolderFault.WRONG_CARD, CARD, f"front matter is not YAML ({error})")
        return
    for problem in _card_problems(block if isinstance(block, dict) else {}, manifest):
        yield finding(FolderFault.WRONG_CARD, CARD, problem)


def _card_problems(block: dict[str, object], manifest: Manifest) -> Iterator[str]:
    if block.get("license") != manifest.license:
        yield f"license is {block.get('license')!r}, the manifest says {manifest.license!r}"
    configs = block.get("configs")
    entries = [entry for entry in configs if isinstance(entry, dict)] if isinstance(configs, list) else []
    listed = {entry.get("config_name"): entry for entry in entries}
    for name, config in manifest.configs.items():
        wanted = [{"split": split, "path": entry.parquet} for split, entry in config.splits.items()]
        given = listed.get(name, {})
        if given.get("version") != manifest.version:
            yield f"config {name} is version {given.get('version')!r}, the manifest says {manifest.version!r}"
        if not _same_files(given.get("data_files"), wanted):
            yield f"config {name} does not name exactly the data files of the manifest"


def _same_files(given: object, wanted: list[dict[str, str]]) -> bool:
    return isinstance(given, list) and len(given) == len(wanted) and all(entry in given for entry in wanted)

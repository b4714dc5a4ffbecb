"""Rows of a dataset folder, checked against its manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import Manifest, read_manifest
from salitrap.errors import InputError
from salitrap.records.base import Record

ALL_SPLITS = "all"
REVISION_DIGITS = 12

RowT = TypeVar("RowT", bound=Record)


def manifest_of(folder: Path) -> Manifest:
    """Read the manifest of a dataset folder.

    Raises:
        InputError: there is no such folder, or it is no dataset.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give a dataset folder made by salitrap build")
    return read_manifest(folder)


def rows_of(folder: Path, manifest: Manifest, config: str, split: str, kind: type[RowT]) -> Iterator[RowT]:
    """Yield the rows of one split of a configuration, or of ``all``, in their order.

    Raises:
        InputError: no such configuration or split, or a file that differs from the manifest.
    """
    for name in _splits(folder, manifest, config, split):
        path = folder / manifest.configs[config].splits[name].jsonl
        content = _checked(path, path.relative_to(folder).as_posix(), manifest)
        for number, line in enumerate(content.decode("utf-8").split("\n"), 1):
            if line:
                yield _row(path, number, line, kind)


def revision_of(folder: Path, manifest: Manifest) -> str:
    """The version and the start of the SHA-256 of the manifest: equal revisions mean equal rows."""
    digest = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    return f"{manifest.version}+{digest[:REVISION_DIGITS]}"


def _splits(folder: Path, manifest: Manifest, config: str, split: str) -> list[str]:
    if config not in manifest.configs:
        raise InputError(f"{folder}: has no {config}; it has {', '.join(manifest.configs)}")
    held = list(manifest.configs[config].splits)
    if split == ALL_SPLITS:
        return held
    if split not in held:
        raise InputError(f"{folder}: no split {split!r}; it has {', '.join(held)}, or {ALL_SPLITS!r}")
    return [split]


def _checked(path: Path, name: str, manifest: Manifest) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); build or fetch it again") from error
    wanted = next((entry.sha256 for entry in manifest.files if entry.path == name), None)
    if hashlib.sha256(content).hexdigest() != wanted:
        raise InputError(f"{path}: differs from {MANIFEST}; build or fetch the dataset again")
    return content


def _row(path: Path, number: int, line: str, kind: type[RowT]) -> RowT:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}:{number}: field {where}: {first['msg']}; build it again") from error

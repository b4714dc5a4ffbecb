"""A release as the Hub serves it, by the SHA of its commit, in a folder of its own."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import read_manifest
from exports.dataset.verify import is_inside
from exports.hub.faults import hub_faults
from exports.hub.remote import DATASET
from salitrap.errors import InputError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_OF_THE_CLIENT = ".cache"


def download(api: HfApi, repo: str, sha: str, folder: Path) -> None:
    """Put the files that the manifest of a commit names into ``folder``, and the manifest.

    Nothing is taken from a cache, so that what is compared is what the Hub serves now. One file after the
    other, since ``snapshot_download`` returns what it has, without a word, when the Hub fails in between.

    Raises:
        InputError: the commit holds no dataset of ours, or a path that leads out of the folder.
        StoppedError: the Hub could not be reached, or a file came incomplete.
    """
    with hub_faults(f"{repo}@{sha}"):
        api.hf_hub_download(repo, MANIFEST, repo_type=DATASET, revision=sha, local_dir=folder)
        paths = [entry.path for entry in read_manifest(folder).files]
        _refuse_outside(repo, paths)
        for path in paths:
            api.hf_hub_download(repo, path, repo_type=DATASET, revision=sha, local_dir=folder)
    shutil.rmtree(folder / _OF_THE_CLIENT, ignore_errors=True)


def differing(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the paths of ``files`` that ``folder`` lacks or holds with other content."""
    return tuple(sorted(path for path, content in files.items() if _sha256(folder / path) != _hash(content)))


def _refuse_outside(repo: str, paths: list[str]) -> None:
    bad = [path for path in paths if not is_inside(path)]
    if bad:
        raise InputError(
            f"{repo}: its manifest names {bad[0]!r}, outside of the folder; do not use this dataset"
        )


def _sha256(path: Path) -> str:
    return _hash(path.read_bytes()) if path.is_file() else ""


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

"""What the Hub holds of a repository, read once; every decision is made on this and on nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pydantic import ValidationError

from exports.dataset.layout import CARD, CHANGELOG, MANIFEST
from exports.dataset.manifest import KIND, Manifest
from exports.dataset.release import version_key
from exports.hub.address import version_of
from exports.hub.faults import hub_faults
from salitrap.records.base import Record

if TYPE_CHECKING:
    from huggingface_hub import HfApi

DATASET = "dataset"
MAIN = "main"


class RemoteFile(Record):
    """One file: size in bytes and the hash that the Hub gives, SHA-256 where ``is_large``, else git's own."""

    size: int
    digest: str
    is_large: bool

    def holds(self, content: bytes) -> bool:
        """Say whether the file has this content."""
        if self.size != len(content):
            return False
        return self.digest == (hashlib.sha256(content).hexdigest() if self.is_large else git_hash(content))


class Snapshot(Record):
    """A release as one commit holds it: the manifest and texts that later versions carry on."""

    sha: str
    manifest: Manifest | None = None
    card: str = ""
    changelog: str = ""


class Remote(Record):
    """A repository: None for ``head`` when there is none yet.

    ``tags`` gives the commit of each version's tag. ``released`` is the newest tagged version, and
    ``gated`` is auto, manual or off.
    """

    repo: str
    head: Snapshot | None = None
    files: Mapping[str, RemoteFile] = {}
    tags: Mapping[str, str] = {}
    released: Snapshot | None = None
    private: bool = False
    gated: str = "off"


def git_hash(content: bytes) -> str:
    """The hash that git gives a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def read_remote(api: HfApi, repo: str) -> Remote:
    """Read what the Hub holds of a repository.

    Raises:
        InputError: no right to see it.
        StoppedError: the Hub could not be reached, or the repository changed while it was read.
    """
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    with hub_faults(repo):
        try:
            info = api.dataset_info(repo)
        except GatedRepoError:
            raise
        except RepositoryNotFoundError:
            return Remote(repo=repo)
        head = str(info.sha)
        tags = _tags(api, repo)
        newest = max(tags, key=lambda tag: version_key(tag.removeprefix("v")), default=None)
        return Remote(
            repo=repo,
            head=snapshot_of(api, repo, head),
            files=files_at(api, repo, head),
            tags=tags,
            released=snapshot_of(api, repo, tags[newest]) if newest else None,
            private=bool(info.private),
            gated=info.gated or "off",
        )


def files_at(api: HfApi, repo: str, sha: str) -> dict[str, RemoteFile]:
    """List the files of a commit, by path."""
    from huggingface_hub.hf_api import RepoFile

    with hub_faults(f"{repo}@{sha}"):
        found = [*api.list_repo_tree(repo, recursive=True, revision=sha, repo_type=DATASET)]
    return {entry.path: _file(entry) for entry in found if isinstance(entry, RepoFile)}


def commit_of(api: HfApi, repo: str, revision: str) -> str:
    """Return the SHA that a tag (or a commit's own SHA) stands for, asked of the Hub and never of a cache.

    Raises:
        InputError: no such repository or revision.
        EndpointUnavailable: the Hub could not be reached.
    """
    with hub_faults(f"{repo}@{revision}"):
        return str(api.dataset_info(repo, revision=revision).sha)


def snapshot_of(api: HfApi, repo: str, sha: str) -> Snapshot:
    """Read manifest, card and changelog of a commit; a manifest that is not ours is None."""
    with hub_faults(f"{repo}@{sha}"), TemporaryDirectory(prefix="salitrap-") as scratch:
        texts = {path: _text(api, repo, sha, path, Path(scratch)) for path in (MANIFEST, CARD, CHANGELOG)}
    return Snapshot(
        sha=sha, manifest=manifest_in(texts[MANIFEST]), card=texts[CARD], changelog=texts[CHANGELOG]
    )


def manifest_in(text: str) -> Manifest | None:
    """Return the manifest that a text is, None when it is none of ours."""
    try:
        value = json.loads(text)
        return (
            Manifest.model_validate(value) if isinstance(value, dict) and value.get("kind") == KIND else None
        )
    except (ValueError, ValidationError):
        return None


def _text(api: HfApi, repo: str, sha: str, path: str, scratch: Path) -> str:
    from huggingface_hub.errors import RemoteEntryNotFoundError

    try:
        place = api.hf_hub_download(repo, path, repo_type=DATASET, revision=sha, cache_dir=scratch)
    except RemoteEntryNotFoundError:
        return ""
    return Path(place).read_bytes().decode("utf-8", "replace")


def _tags(api: HfApi, repo: str) -> dict[str, str]:
    refs = api.list_repo_refs(repo, repo_type=DATASET)
    return {tag.name: tag.target_commit for tag in refs.tags if version_of(tag.name) is not None}


def _file(entry: object) -> RemoteFile:
    lfs = getattr(entry, "lfs", None)
    digest = lfs.sha256 if lfs is not None else getattr(entry, "blob_id", "")
    return RemoteFile(size=getattr(entry, "size", 0), digest=digest, is_large=lfs is not None)

"""A verified local copy of a release.

``load_dataset(ORG/NAME, revision=TAG)`` may serve another version from its cache, without a word, when the
Hub cannot be reached. Here a tag is always asked of the Hub, the copy is made by commit, and every file is
compared with the manifest before the folder appears.
"""

from __future__ import annotations

import os
from pathlib import Path

from exports.dataset.disk import disk_faults, replacing
from exports.dataset.manifest import read_manifest
from exports.dataset.verify import verify_folder
from exports.hub.address import HubAddress
from exports.hub.client import hub_api
from exports.hub.downloading import download
from exports.hub.remote import commit_of
from exports.hub.verify import version_findings
from salitrap.errors import InputError, SalitrapError
from salitrap.records.base import Record


class Fetched(Record):
    """A local copy: where it is, and exactly what it is a copy of."""

    repo: str
    revision: str
    sha: str
    version: str
    path: Path


def fetch_release(address: HubAddress, out: Path) -> Fetched:
    """Copy a release into the new folder ``out``, verified.

    Raises:
        InputError: ``out`` is taken, no such release, or no right to read it.
        StoppedError: the Hub could not be reached; ``out`` does not exist.
        SalitrapError: the release is not what its manifest says; ``out`` does not exist.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: is there already; give the path of a new folder")
    api = hub_api()
    sha = commit_of(api, address.repo, address.revision)
    with disk_faults(out), replacing(out.absolute()) as folder:
        download(api, address.repo, sha, folder)
        version = _require_sound(address, folder)
    return Fetched(repo=address.repo, revision=address.revision, sha=sha, version=version, path=out)


def cached_release(address: HubAddress) -> Fetched:
    """Return a verified copy in the cache, fetched first where it is missing.

    A commit that is in the cache needs no Hub; a tag is always asked of it, since what it stands for cannot
    be known otherwise.

    Raises:
        InputError: no such release, or no right to read it.
        StoppedError: the Hub could not be reached.
        SalitrapError: the release is not what its manifest says.
    """
    sha = address.revision if address.is_commit else commit_of(hub_api(), address.repo, address.revision)
    place = cache_folder() / address.repo.replace("/", "--") / sha
    if not place.is_dir():
        return fetch_release(address.model_copy(update={"revision": sha}), place)
    version = _require_sound(address, place)
    return Fetched(repo=address.repo, revision=address.revision, sha=sha, version=version, path=place)


def cache_folder() -> Path:
    """Where copies are kept: beside the other caches of the Hub's client."""
    from huggingface_hub import constants

    return Path(os.environ.get("SALITRAP_CACHE") or Path(constants.HF_HOME) / "salitrap")


def _require_sound(address: HubAddress, folder: Path) -> str:
    manifest = read_manifest(folder)
    findings = (*verify_folder(folder), *version_findings(address, manifest))
    if findings:
        raise SalitrapError(
            f"{address}: not what its manifest says: {findings[0].message} ({len(findings)} findings); "
            "do not use it, and tell its authors"
        )
    return manifest.version

"""Is a release on the Hub what its manifest says? For anyone, without a token where it is public."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from exports.dataset.findings import FolderFault, FolderFinding, finding
from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import Manifest, read_manifest
from exports.dataset.verify import verify_folder
from exports.hub.address import HubAddress, version_of
from exports.hub.client import hub_api
from exports.hub.downloading import download
from exports.hub.remote import commit_of
from salitrap.records.base import Record


class RemoteCheck(Record):
    """What the check came to: the commit that was checked, its version, and all findings."""

    repo: str
    revision: str
    sha: str
    version: str
    findings: tuple[FolderFinding, ...]


def verify_release(address: HubAddress) -> RemoteCheck:
    """Download a release by its commit and check every file of it.

    Raises:
        InputError: no such repository or version, or no right to read it.
        StoppedError: the Hub could not be reached.
    """
    api = hub_api()
    sha = commit_of(api, address.repo, address.revision)
    with TemporaryDirectory(prefix="salitrap-") as scratch:
        folder = Path(scratch)
        download(api, address.repo, sha, folder)
        manifest, findings = read_manifest(folder), verify_folder(folder)
    return RemoteCheck(
        repo=address.repo,
        revision=address.revision,
        sha=sha,
        version=manifest.version,
        findings=(*findings, *version_findings(address, manifest)),
    )


def version_findings(address: HubAddress, manifest: Manifest) -> tuple[FolderFinding, ...]:
    """A tag that stands at another version's commit: somebody moved it."""
    version = version_of(address.revision)
    if address.is_commit or version == manifest.version:
        return ()
    told = f"says version {manifest.version} under {address.revision}: the tag was moved; do not use it"
    return (finding(FolderFault.MOVED_TAG, MANIFEST, told),)

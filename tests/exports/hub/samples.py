"""Dataset folders and what a Hub may hold, for the tests of this room."""

from __future__ import annotations

from exports.dataset.layout import CARD, CHANGELOG, MANIFEST
from exports.hub.local import LocalRelease, read_local
from exports.hub.options import PublishOptions
from exports.hub.remote import Remote, RemoteFile, Snapshot, git_hash, manifest_in
from tests.exports.conftest import Build
from tests.exports.samples import many

REPO = "org/traps"
PLAIN = PublishOptions()


def local_of(build: Build, **changes: object) -> LocalRelease:
    """A small dataset folder, built and read."""
    return read_local(build(many(8), **changes).path, PLAIN)


def remote_of(files: dict[str, bytes], sha: str = "a" * 40, **changes: object) -> Remote:
    """A repository whose main branch holds ``files``."""
    held = {
        path: RemoteFile(size=len(content), digest=git_hash(content), is_large=False)
        for path, content in files.items()
    }
    values = {"repo": REPO, "head": snapshot(files, sha), "files": held, **changes}
    return Remote.model_validate(values)


def snapshot(files: dict[str, bytes], sha: str = "a" * 40) -> Snapshot:
    """One commit with these files."""
    texts = {path: files.get(path, b"").decode("utf-8") for path in (CARD, CHANGELOG, MANIFEST)}
    return Snapshot(
        sha=sha, manifest=manifest_in(texts[MANIFEST]), card=texts[CARD], changelog=texts[CHANGELOG]
    )

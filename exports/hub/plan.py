"""What a publication will do, operation by operation; decided on what both sides hold alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from exports.dataset.release import version_key
from exports.hub.address import tag_of
from exports.hub.local import LocalRelease, same_release, wanted_files
from exports.hub.options import PublishOptions
from exports.hub.remote import Remote, Snapshot
from salitrap.errors import InputError
from salitrap.records.base import Record


class Action(StrEnum):
    """Kind of an operation."""

    CREATE_REPO = "create repository"
    SET_GATE = "set gate"
    TAG_HALF_RELEASE = "tag half release"
    UPLOAD = "upload"
    DELETE = "delete"
    COMMIT = "commit"
    VERIFY = "download and compare"
    TAG = "tag"


class Operation(Record):
    """One operation: what, on what, and what a reader should know of it; ``bytes`` for an upload."""

    action: Action
    target: str
    detail: str = ""
    bytes: int | None = None


class PublishPlan(Record):
    """All operations, in order; none when the release is there already.

    ``parent`` is the commit that ours is made upon: the Hub refuses it when somebody else was faster.
    ``half`` is a release that was committed and never tagged: what an interruption left.
    """

    repo: str
    version: str
    simulated: bool
    operations: tuple[Operation, ...]
    notices: tuple[str, ...]
    files: Mapping[str, bytes]
    parent: str | None = None
    half: Snapshot | None = None

    @property
    def tag(self) -> str:
        """The tag that the release gets."""
        return tag_of(self.version)

    def targets(self, action: Action) -> tuple[str, ...]:
        """Targets of the operations of one kind."""
        return tuple(one.target for one in self.operations if one.action is action)


def made_plan(
    local: LocalRelease, remote: Remote, options: PublishOptions, published: Snapshot | None
) -> PublishPlan:
    """Plan a publication; ``published`` is what stands under the tag of this version, None without the tag.

    Raises:
        InputError: the version was released with other content, is not higher than the newest one, does not
            carry the versions before on, or the repository holds another dataset.
    """
    version = local.manifest.version
    _refuse_other_dataset(local, remote)
    if published is not None:
        _refuse_moved_tag(local, remote, published)
        return _plan(local, remote, (), {}, ())
    _refuse_lower(local, remote)
    half = _half_release(local, remote)
    _refuse_broken_history(local, remote, half)
    files = wanted_files(local, remote, options)
    operations = tuple(_operations(files, remote, options, version, half))
    return _plan(local, remote, operations, files, tuple(_notices(local, remote, options)), half)


def _plan(
    local: LocalRelease,
    remote: Remote,
    operations: tuple[Operation, ...],
    files: Mapping[str, bytes],
    notices: tuple[str, ...],
    half: Snapshot | None = None,
) -> PublishPlan:
    return PublishPlan(
        repo=remote.repo,
        version=local.manifest.version,
        simulated=local.manifest.simulated,
        operations=operations,
        notices=notices,
        files=files,
        parent=remote.head.sha if remote.head is not None else None,
        half=half,
    )


def _operations(
    files: Mapping[str, bytes], remote: Remote, options: PublishOptions, version: str, half: Snapshot | None
) -> Iterator[Operation]:
    if remote.head is None:
        seen = "private" if options.private else "public"
        yield Operation(action=Action.CREATE_REPO, target=remote.repo, detail=seen)
    if options.gated not in (None, remote.gated):
        yield Operation(action=Action.SET_GATE, target=remote.repo, detail=str(options.gated))
    if half is not None and half.manifest is not None:
        yield Operation(
            action=Action.TAG_HALF_RELEASE,
            target=tag_of(half.manifest.version),
            detail=f"at {half.sha}, after comparing its files",
        )
    changes = [*_uploads(files, remote), *_deletions(files, remote)]
    yield from changes
    if changes:
        after = f"on top of {remote.head.sha}" if remote.head is not None else "the first of the repository"
        yield Operation(action=Action.COMMIT, target=f"Version {version}", detail=after)
    yield Operation(action=Action.VERIFY, target=f"{len(files)} files", detail="by the commit's SHA")
    yield Operation(action=Action.TAG, target=tag_of(version), detail="read back afterwards; never moved")


def _uploads(files: Mapping[str, bytes], remote: Remote) -> Iterator[Operation]:
    for path, content in sorted(files.items()):
        there = remote.files.get(path)
        if there is None or not there.holds(content):
            detail = "new" if there is None else "changed"
            yield Operation(action=Action.UPLOAD, target=path, detail=detail, bytes=len(content))


def _deletions(files: Mapping[str, bytes], remote: Remote) -> Iterator[Operation]:
    """Files of the version before that this one lacks; files of other people stay."""
    manifest = remote.head.manifest if remote.head is not None else None
    listed = {entry.path for entry in manifest.files} if manifest is not None else set()
    for path in sorted((listed & set(remote.files)) - set(files)):
        yield Operation(action=Action.DELETE, target=path, detail="not in this version")


def _half_release(local: LocalRelease, remote: Remote) -> Snapshot | None:
    """The version that stands on main without its tag, if it is another one than ours."""
    head = remote.head
    if head is None or head.manifest is None or tag_of(head.manifest.version) in remote.tags:
        return None
    return None if head.manifest.version == local.manifest.version else head


def _refuse_other_dataset(local: LocalRelease, remote: Remote) -> None:
    there = remote.head.manifest if remote.head is not None else None
    if there is not None and there.canary != local.manifest.canary:
        raise InputError(
            f"{remote.repo}: holds the dataset {there.name!r}, {local.folder} is {local.manifest.name!r}; "
            "give another repository, or build under the same --name"
        )


def _refuse_moved_tag(local: LocalRelease, remote: Remote, published: Snapshot) -> None:
    if published.manifest is None or not same_release(published.manifest, local.manifest):
        raise InputError(
            f"{remote.repo}: {tag_of(local.manifest.version)} is released with other content, and a tag is "
            "never moved; build a higher version"
        )


def _refuse_lower(local: LocalRelease, remote: Remote) -> None:
    known = [one.manifest.version for one in (remote.head, remote.released) if one and one.manifest]
    newest = max(known, key=version_key, default=None)
    if newest is not None and version_key(newest) > version_key(local.manifest.version):
        raise InputError(
            f"{remote.repo}: holds version {newest}, and {local.manifest.version} is not higher; build a "
            "higher version"
        )


def _refuse_broken_history(local: LocalRelease, remote: Remote, half: Snapshot | None) -> None:
    """A version that does not know those before it would give every item a new ``version_added``."""
    manifests = [one.manifest for one in (remote.released, half) if one is not None and one.manifest]
    missing = [one.version for one in manifests if f"## {one.version}\n" not in local.changelog]
    if missing:
        raise InputError(
            f"{local.folder}: its changelog lacks version {missing[0]}, which {remote.repo} holds; "
            f"salitrap fetch {remote.repo}@{tag_of(missing[0])}, then build with --previous"
        )


def _notices(local: LocalRelease, remote: Remote, options: PublishOptions) -> Iterator[str]:
    if remote.head is None:
        return
    listed = {entry.path for entry in remote.head.manifest.files} if remote.head.manifest else set()
    foreign = sorted(set(remote.files) - set(local.files) - listed - {".gitattributes"})
    if foreign:
        yield f"{len(foreign)} files of other hands stay as they are, the first: {foreign[0]}"
    license_ = remote.released.manifest.license if remote.released and remote.released.manifest else None
    if license_ not in (None, local.manifest.license):
        yield f"the license changes from {license_} to {local.manifest.license}"
    if options.private and not remote.private:
        yield "the repository is public and stays so; make it private in its settings"

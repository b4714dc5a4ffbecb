"""One commit, one tag: plan, ask, carry out, read back. Whatever breaks off, the same command goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from exports.dataset.verify import verify_folder
from exports.hub.address import checked_repo, tag_of
from exports.hub.client import hub_api
from exports.hub.downloading import differing, download
from exports.hub.faults import HeadMoved, hub_faults
from exports.hub.local import LocalRelease, read_local
from exports.hub.options import PublishOptions
from exports.hub.plan import Action, PublishPlan, made_plan
from exports.hub.remote import DATASET, MAIN, commit_of, read_remote, snapshot_of
from exports.hub.rights import require_token, require_write
from salitrap.errors import InputError, SalitrapError
from salitrap.records.base import Record

if TYPE_CHECKING:
    from huggingface_hub import HfApi

ROUNDS = 4
"""How often a plan is made anew because somebody else committed meanwhile."""

Agree = Callable[[PublishPlan], bool]
Tell = Callable[[str], None]


class Published(Record):
    """What came of a publication: ``changed`` is False where the release was there already."""

    repo: str
    version: str
    tag: str
    sha: str
    changed: bool
    simulated: bool
    notices: tuple[str, ...] = ()


def plan_publication(folder: Path, repo: str, options: PublishOptions) -> PublishPlan:
    """Plan a publication; the Hub is read, nothing is written and no right to write is needed.

    Raises:
        InputError: the folder, the name or the version cannot be published.
        StoppedError: the Hub could not be reached.
    """
    return _planned(hub_api(), read_local(folder, options), checked_repo(repo), options)


def publish(
    folder: Path, repo: str, options: PublishOptions, agree: Agree, tell: Tell = lambda _: None
) -> Published | None:
    """Publish a dataset folder as a version; None when ``agree`` declined the plan.

    Raises:
        InputError: the folder, the name, the version or the token cannot be used; nothing was sent.
        StoppedError: interrupted, the Hub in trouble, or others kept committing: the same command goes on.
        SalitrapError: the Hub serves other bytes than were sent; there is no tag.
    """
    local = read_local(folder, options)
    checked_repo(repo)
    require_token()
    api, agreed = hub_api(), None
    for _ in range(ROUNDS):
        plan = _planned(api, local, repo, options)
        if plan.operations:
            require_write(api, repo, is_new=Action.CREATE_REPO in {one.action for one in plan.operations})
            if plan.operations != agreed and not agree(plan):
                return None
        agreed = plan.operations
        try:
            return _carried_out(api, plan, options, tell)
        except HeadMoved:
            tell("somebody else committed meanwhile; planning anew")
    raise HeadMoved(
        f"{repo}: others committed {ROUNDS} times while this release was sent; repeat the command"
    )


def _planned(api: HfApi, local: LocalRelease, repo: str, options: PublishOptions) -> PublishPlan:
    remote = read_remote(api, repo)
    sha = remote.tags.get(tag_of(local.manifest.version))
    return made_plan(local, remote, options, snapshot_of(api, repo, sha) if sha else None)


def _carried_out(api: HfApi, plan: PublishPlan, options: PublishOptions, tell: Tell) -> Published:
    if not plan.operations:
        return _result(plan, commit_of(api, plan.repo, plan.tag), changed=False)
    _prepare(api, plan, options)
    notices = _heal(api, plan, tell)
    sha = _committed(api, plan, tell)
    tell("downloading by SHA and comparing ...")
    _require_same(api, plan, sha)
    _tag(api, plan.repo, plan.tag, sha)
    return _result(plan, sha, changed=True, notices=notices)


def _prepare(api: HfApi, plan: PublishPlan, options: PublishOptions) -> None:
    """Repository and gate come before the content, so that nothing is open that should not be."""
    with hub_faults(plan.repo):
        if plan.targets(Action.CREATE_REPO):
            api.create_repo(plan.repo, repo_type=DATASET, private=options.private, exist_ok=True)
        if plan.targets(Action.SET_GATE):
            gate = False if options.gated == "off" else options.gated
            api.update_repo_settings(plan.repo, repo_type=DATASET, gated=gate)


def _heal(api: HfApi, plan: PublishPlan, tell: Tell) -> tuple[str, ...]:
    """Tag an earlier version that was committed and never tagged, if it is sound."""
    half = plan.half
    if half is None or half.manifest is None:
        return ()
    tag = tag_of(half.manifest.version)
    tell(f"{tag} was committed and never tagged; comparing its files ...")
    with TemporaryDirectory(prefix="salitrap-") as scratch:
        download(api, plan.repo, half.sha, Path(scratch))
        findings = verify_folder(Path(scratch))
    if findings:
        return (f"{tag} was committed and never tagged, and stays so: {findings[0].message}",)
    _tag(api, plan.repo, tag, half.sha)
    return (f"{tag} had been committed and not tagged; it is tagged now",)


def _committed(api: HfApi, plan: PublishPlan, tell: Tell) -> str:
    """Make the one commit; the commit that is there already where nothing differs."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    uploads, deletions = plan.targets(Action.UPLOAD), plan.targets(Action.DELETE)
    if not uploads and not deletions:
        return str(plan.parent)
    tell(f"sending {len(uploads)} files ...")
    with hub_faults(plan.repo):
        parent = plan.parent or str(api.dataset_info(plan.repo).sha)
        done = api.create_commit(
            plan.repo,
            [
                *(CommitOperationAdd(path, plan.files[path]) for path in uploads),
                *(CommitOperationDelete(path) for path in deletions),
            ],
            repo_type=DATASET,
            revision=MAIN,
            parent_commit=parent,
            commit_message=f"Version {plan.version}",
        )
    return str(done.oid)


def _require_same(api: HfApi, plan: PublishPlan, sha: str) -> None:
    with TemporaryDirectory(prefix="salitrap-") as scratch:
        download(api, plan.repo, sha, Path(scratch))
        other = differing(Path(scratch), plan.files)
    if other:
        raise SalitrapError(
            f"{plan.repo}@{sha}: the Hub serves other bytes than were sent: {other[0]} ({len(other)} files); "
            "the version was not tagged; repeat the command, and tell the Hub if that does not help"
        )


def _tag(api: HfApi, repo: str, tag: str, sha: str) -> None:
    """Make a tag and read it back; one that is there already has to be this very commit's.

    Raises:
        InputError: the tag stands elsewhere.
        EndpointUnavailable: the Hub took the tag and does not show it.
    """
    try:
        with hub_faults(f"{repo}@{tag}"):
            api.create_tag(repo, tag=tag, revision=sha, repo_type=DATASET)
    except HeadMoved:
        pass  # there already: what counts is where it stands
    stands = commit_of(api, repo, tag)
    if stands != sha:
        raise InputError(
            f"{repo}: {tag} stands at commit {stands}, not at {sha}; somebody else made it, and it stays"
        )


def _result(plan: PublishPlan, sha: str, *, changed: bool, notices: tuple[str, ...] = ()) -> Published:
    return Published(
        repo=plan.repo,
        version=plan.version,
        tag=plan.tag,
        sha=sha,
        changed=changed,
        simulated=plan.simulated,
        notices=(*plan.notices, *notices),
    )

"""May this token do what the plan says? Asked before anything is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exports.hub.faults import NO_TOKEN, READ_ONLY, hub_faults
from exports.hub.remote import DATASET
from salitrap.errors import InputError

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_WRITING = ("write", "admin")


def require_token() -> None:
    """Check that there is a token at all, without asking the Hub.

    Raises:
        InputError: none.
    """
    from huggingface_hub import get_token

    if not get_token():
        raise InputError(NO_TOKEN)


def require_write(api: HfApi, repo: str, *, is_new: bool) -> None:
    """Check the right to write to a repository, or to make it where it is new.

    A token that may only read passes the request for a repository that exists, and fails at the commit: the
    Hub is asked for the right itself.

    Raises:
        InputError: no such right.
        StoppedError: the Hub could not be reached.
    """
    if is_new:
        _require_namespace(api, repo)
        return
    with hub_faults(repo):
        api.auth_check(repo, repo_type=DATASET, write=True)


def _require_namespace(api: HfApi, repo: str) -> None:
    owner = repo.partition("/")[0]
    with hub_faults(repo):
        told = api.whoami()
    access = told.get("auth", {}).get("accessToken", {})
    role = access.get("role")
    owners = {told.get("name"), *(org.get("name") for org in told.get("orgs", []))}
    if role in _WRITING and owner not in owners:
        raise InputError(f"{repo}: your account is not of {owner!r}; it may write for {_named(owners)}")
    if role == "read" or (role == "fineGrained" and not _may_write(access, owner)):
        raise InputError(f"{repo}: {READ_ONLY}")


def _may_write(access: dict[str, object], owner: str) -> bool:
    """Say whether a fine-grained token may make repositories of ``owner``: one repository's is not enough."""
    grained = access.get("fineGrained")
    scoped = grained.get("scoped", []) if isinstance(grained, dict) else []
    return any(
        "repo.write" in scope.get("permissions", []) and scope.get("entity", {}).get("name") == owner
        for scope in scoped
        if isinstance(scope, dict)
    )


def _named(owners: set[object]) -> str:
    return ", ".join(sorted(str(owner) for owner in owners if owner))

"""How a release on the Hub is named: ORG/NAME@v1.0.0, or ORG/NAME@SHA."""

from __future__ import annotations

import re

from exports.dataset.release import version_key
from salitrap.errors import InputError
from salitrap.records.base import Record

_REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9_][\w.-]{0,95}", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{40}")
_FORM = "give ORG/NAME@v1.0.0, or ORG/NAME@ and the 40 digits of a commit"


class HubAddress(Record):
    """A repository of datasets and one revision of it: a version's tag, or the SHA of a commit."""

    repo: str
    revision: str

    @property
    def is_commit(self) -> bool:
        """True when the revision is a commit, which nobody can move."""
        return _SHA.fullmatch(self.revision) is not None

    def __str__(self) -> str:
        return f"{self.repo}@{self.revision}"


def tag_of(version: str) -> str:
    """Return the tag of a version: v1.0.0."""
    return f"v{version}"


def version_of(tag: str) -> str | None:
    """Return the version of a tag, None for a tag that is no version's."""
    try:
        version_key(tag.removeprefix("v"))
    except InputError:
        return None
    return tag.removeprefix("v") if tag.startswith("v") else None


def is_address(text: str) -> bool:
    """Say whether a text looks like the address of a release rather than a path."""
    return _REPO.fullmatch(text.partition("@")[0]) is not None and "@" in text


def checked_repo(text: str) -> str:
    """Check the name of a repository.

    Raises:
        InputError: not of the form ORG/NAME that the Hub takes.
    """
    repo, _, name = text.partition("/")
    odd = any(part.endswith((".git", ".", "-")) or ".." in part or "--" in part for part in (repo, name))
    if _REPO.fullmatch(text) is None or odd:
        raise InputError(f"{text!r}: no repository name; give ORG/NAME of letters, digits, '-', '_' and '.'")
    return text


def parse_address(text: str) -> HubAddress:
    """Read ``ORG/NAME@v1.0.0`` or ``ORG/NAME@SHA``.

    Raises:
        InputError: no revision, or one that can move, such as a branch.
    """
    repo, at, revision = text.partition("@")
    if not at:
        raise InputError(f"{text!r}: names no version; {_FORM}")
    address = HubAddress(repo=checked_repo(repo), revision=revision)
    if not address.is_commit and version_of(revision) is None:
        raise InputError(f"{text!r}: {revision!r} is no version; {_FORM}")
    return address

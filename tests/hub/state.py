"""Repositories, commits and blobs, in memory."""

from __future__ import annotations

import hashlib
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

ZERO = "0" * 40
SHORTEST = 7
"""Digits that a shortened SHA has at least."""
LARGE = (".parquet",)
"""Files that the Hub keeps in its large file storage."""


@dataclass(frozen=True)
class Blob:
    """One file: both hashes that the Hub may give."""

    content: bytes
    is_large: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def oid(self) -> str:
        content = self._pointer if self.is_large else self.content
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.is_large else self.oid

    @property
    def _pointer(self) -> bytes:
        return f"oid sha256:{self.sha256}\nsize {len(self.content)}\n".encode()


@dataclass(frozen=True)
class Commit:
    """One commit with all its files."""

    sha: str
    parent: str
    title: str
    files: Mapping[str, Blob]


@dataclass
class Repo:
    """One repository of a dataset.

    ``made`` goes into every SHA, as the time does on the Hub: else two tests that commit the same would share
    SHAs, and with them whatever a client keeps by SHA.
    """

    name: str
    private: bool = False
    gated: str | bool = False
    made: str = field(default_factory=lambda: uuid.uuid4().hex)
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def resolve(self, revision: str) -> Commit | None:
        """The commit of a branch, a tag or a SHA, which may be shortened."""
        sha = self.branches.get(revision) or self.tags.get(revision) or revision
        if len(sha) < SHORTEST:
            return None
        return next((commit for known, commit in self.commits.items() if known.startswith(sha)), None)

    @property
    def head(self) -> Commit:
        return self.commits[self.branches["main"]]

    def commit(self, title: str, files: Mapping[str, Blob], branch: str = "main") -> Commit:
        """Put a commit on top of a branch."""
        parent = self.branches.get(branch, ZERO)
        listed = "".join(f"{path} {blob.oid}\n" for path, blob in sorted(files.items()))
        content = f"{self.name}\n{self.made}\n{parent}\n{title}\n{len(self.commits)}\n{listed}"
        made = Commit(hashlib.sha1(content.encode()).hexdigest(), parent, title, dict(files))
        self.commits[made.sha] = made
        self.branches[branch] = made.sha
        return made


@dataclass(frozen=True)
class Account:
    """Who a token belongs to, and what it may do: read, write, or what a fine-grained token names.

    ``writable`` and ``readable`` name repositories or their owners.
    """

    name: str
    role: str
    orgs: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()

    def may_write(self, repo: str) -> bool:
        owner = repo.partition("/")[0]
        if self.role == "fineGrained":
            return repo in self.writable or owner in self.writable
        return self.role == "write" and owner in (self.name, *self.orgs)

    def belongs_to(self, repo: str) -> bool:
        return repo.partition("/")[0] in (self.name, *self.orgs)


ACCOUNTS = {
    "hf_writer": Account("ana", "write", ("org",)),
    "hf_reader": Account("ana", "read", ("org",)),
    "hf_fine": Account("ana", "fineGrained", ("org",), ("org/traps",)),
    "hf_fine_other": Account("ana", "fineGrained", ("org",), ("org/other",)),
    "hf_fine_reader": Account("ana", "fineGrained", ("org",), readable=("org/traps",)),
    "hf_stranger": Account("eve", "write"),
}
"""By token."""


@dataclass
class Hub:
    """Everything that a Hub holds."""

    repos: dict[str, Repo] = field(default_factory=dict)
    stored: dict[str, bytes] = field(default_factory=dict)
    """Content of large files, by SHA-256."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    """Held while a request is worked on, so that of two commits upon one parent one is refused."""

    def create(self, name: str, private: bool) -> Repo:
        repo = Repo(name, private=private)
        repo.commit("initial commit", {".gitattributes": Blob(b"*.parquet filter=lfs\n", False)})
        self.repos[name] = repo
        return repo

"""What the harness files have to know of a release."""

from __future__ import annotations

import re

from salitrap.records.base import Record

_OTHERS = re.compile(r"[^a-z0-9]+")


class HarnessFacts(Record):
    """Identity of a release, and the splits of each configuration in their order."""

    name: str
    version: str
    license: str
    canary: str
    simulated: bool
    configs: dict[str, tuple[str, ...]]

    @property
    def slug(self) -> str:
        """The name as tasks carry it."""
        return slug_of(self.name)

    @property
    def first_split(self) -> str:
        """The split of the items to report on: ``test`` where there is one."""
        splits = self.configs["items"]
        return "test" if "test" in splits else splits[0]


def slug_of(name: str) -> str:
    """Return a name as tasks carry it: lower case letters, digits and underscores."""
    return _OTHERS.sub("_", name.lower()).strip("_") or "salitrap"

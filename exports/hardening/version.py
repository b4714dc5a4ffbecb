"""The number of the next version, by what it means for scores."""

from __future__ import annotations

from curation.hardening import Fate, Hardened
from exports.dataset.release import version_key
from salitrap.errors import InputError


def next_version(since: str, hardened: Hardened) -> str:
    """Return the next major version when items went, since scores are not comparable, else the next minor.

    Raises:
        InputError: nothing changed, so there is no next version.
    """
    if not hardened.changed:
        raise InputError(f"version {since} stands: nothing was solved, and nothing took the place of an item")
    major, minor, _ = version_key(since)
    gone = any(one.fate is not Fate.KEPT for one in hardened.items)
    return f"{major + 1}.0.0" if gone else f"{major}.{minor + 1}.0"

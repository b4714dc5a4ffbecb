"""The identity of a release, checked before anything is written."""

from __future__ import annotations

import datetime
import re
import unicodedata

from exports.dataset.canary import canary_of
from exports.dataset.licenses import check_license
from salitrap.errors import InputError
from salitrap.records.base import Record

_SEMVER = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
_LONGEST_NAME = 120


class Release(Record):
    """Name, version, license identifier, share of families in ``dev``, the canary, and the day if known.

    ``holdout_share`` is the share of families that are kept back; ``is_holdout`` marks the folder that holds
    them, which is never published.
    """

    name: str
    version: str
    license: str
    dev_share: float
    canary: str
    holdout_share: float = 0.0
    is_holdout: bool = False
    date: str | None = None


def checked_release(
    name: str, version: str, license: str, dev_share: float, date: str | None = None
) -> Release:
    """Check what the user chose for a release.

    Raises:
        InputError: the name is empty, too long or has control characters; the version is not X.Y.Z
            or is 0.0.0; the license is not an identifier of the Hub; ``dev_share`` is outside 0 to 1;
            ``date`` is not a day written YYYY-MM-DD.
    """
    if version_key(version) == (0, 0, 0):
        raise InputError("version 0.0.0: says that nothing was released; begin with 0.1.0 or 1.0.0")
    _check_name(name)
    check_license(license)
    if not 0.0 <= dev_share <= 1.0:
        raise InputError(f"dev share {dev_share}: give a number from 0 to 1, such as 0.1")
    return Release(
        name=name,
        version=version,
        license=license,
        dev_share=dev_share,
        canary=canary_of(name),
        date=None if date is None else checked_date(date),
    )


def checked_date(date: str) -> str:
    """Return ``date`` when it is a day.

    Raises:
        InputError: not of the form YYYY-MM-DD, or no such day.
    """
    try:
        fine = datetime.date.fromisoformat(date).isoformat() == date
    except ValueError:
        fine = False
    if not fine:
        raise InputError(f"date {date!r}: give a day as YYYY-MM-DD, such as 2026-01-31")
    return date


def version_key(version: str) -> tuple[int, int, int]:
    """Return the three numbers of a version, for comparing.

    Raises:
        InputError: not of the form X.Y.Z.
    """
    match = _SEMVER.fullmatch(version)
    if match is None:
        raise InputError(f"version {version!r}: give three numbers such as 1.0.0, without a leading v")
    major, minor, patch = (int(part) for part in match.groups())
    return major, minor, patch


def _check_name(name: str) -> None:
    odd = any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in name)
    if not name.strip() or len(name) > _LONGEST_NAME or odd:
        raise InputError(
            f"dataset name {name!r}: give one line of 1 to {_LONGEST_NAME} characters, such as 'SaliTrap'"
        )

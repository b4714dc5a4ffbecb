"""License identifiers: those that the Hub knows, from a list that ships as data."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from importlib.resources import files

from salitrap.errors import InputError

OTHER = "other"
UNKNOWN = "unknown"
LIST_AT = "https://huggingface.co/docs/hub/repositories-licenses"
EXAMPLES = "cc-by-4.0, cc-by-sa-4.0, cc0-1.0, apache-2.0 or mit"


def known_licenses() -> tuple[str, ...]:
    """Return the identifiers in the Hub's order."""
    text = files("exports.dataset").joinpath("data", "licenses.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def check_license(license: str) -> None:
    """Check an identifier before anything is written.

    Raises:
        InputError: the Hub does not know it; the message has a near miss or examples.
    """
    known = known_licenses()
    if license in known:
        return
    near = _near(license, known)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known are {EXAMPLES} and others."
    raise InputError(
        f"license {license!r}: no license identifier of the Hugging Face Hub; {hint} "
        f"All {len(known)}: {LIST_AT}; for any other license give 'other'"
    )


def _near(license: str, known: Sequence[str]) -> list[str]:
    """The identifiers that begin so, shortest and newest first, or else the most similar ones."""
    written = "-".join(license.split()).lower()
    longer = sorted((name for name in known if written and name.startswith(written)), reverse=True)
    return sorted(longer, key=len)[:3] or get_close_matches(written, known, n=3, cutoff=0.6)


def license_notice(license: str) -> tuple[str, ...]:
    """Return what is left to do for a license that the Hub cannot name by itself."""
    if license == OTHER:
        return (
            "license 'other': write the name and the terms of the license into the card, below its notes "
            "line, before you publish",
        )
    if license == UNKNOWN:
        return ("license 'unknown': nobody may use such a dataset safely; choose one before you publish",)
    return ()

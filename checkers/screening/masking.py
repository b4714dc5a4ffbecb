"""Show that something was found without copying it."""

from __future__ import annotations

from collections.abc import Iterable

from checkers.screening.records import ScreenFinding

STARS = "****"
_LONG = 11


def masked(found: str) -> str:
    """``found`` with its middle hidden: 138****5678; little of a short one, nothing of the name at a host."""
    local, at, _ = found.partition("@")
    if at and local:
        return f"{local[0]}{STARS}@{STARS}"
    digits = sum(character.isdecimal() for character in found)
    if digits >= _LONG:
        return f"{found[:3]}{STARS}{found[-4:]}"
    return f"{found[0]}{STARS}"


def masked_text(text: str, findings: Iterable[ScreenFinding]) -> str:
    """``text`` with each personal finding masked."""
    for one in sorted(findings, key=lambda one: -one.start):
        if one.category.is_personal:
            text = text[: one.start] + one.shown + text[one.end :]
    return text

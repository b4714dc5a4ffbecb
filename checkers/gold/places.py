"""Where gold files lie, and how their faults are told."""

from __future__ import annotations

from pathlib import Path

from pydantic_core import ErrorDetails

from checkers.gold.records import Half
from salitrap.errors import InputError


def half_of(path: Path) -> Half | None:
    """The half that a file belongs to: its folder is called ``train``, ``held`` or ``fresh``."""
    return next((half for half in Half if half.value == path.resolve().parent.name), None)


def refuse_missing(path: Path) -> None:
    """Check that a path is there.

    Raises:
        InputError: it is not.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; give a gold file (YAML or JSONL) or a folder")


def told(error: ErrorDetails) -> str:
    """A fault of one field in plain words; the value is not repeated, it may be long."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        return "is missing; add it"
    if kind == "extra_forbidden":
        return "no such field; check its spelling or take it out"
    if kind in ("enum", "literal_error"):
        return f"got {str(error['input'])[:60]!r}; allowed are {context.get('expected', '')}"
    if kind in ("string_too_short", "too_short"):
        return "is empty; give it"
    return f"{error['msg']}"

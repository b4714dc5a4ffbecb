"""Names of the faults that the lab makes on request; the lab and the settings both go by them."""

from __future__ import annotations

from enum import StrEnum

from salitrap.settings.near import nearest


class LabFault(StrEnum):
    """Ways in which a request can end badly."""

    HTTP_429 = "http_429"
    HTTP_500 = "http_500"
    STALL = "stall"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    FILTERED = "filtered"


def fault_names(mistyped: str) -> str:
    """Return all names, and the one that ``mistyped`` comes close to, as part of a message."""
    near = nearest(mistyped, LabFault)
    meant = f"did you mean {near!r}? " if near else ""
    return f"{meant}known are {', '.join(LabFault)}"

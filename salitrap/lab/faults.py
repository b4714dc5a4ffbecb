"""Faults on request: what goes wrong, decided by request and attempt, so that a retry can succeed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from salitrap.lab.desk import Reply
from salitrap.lab.draws import Draw
from salitrap.lab.request import BadRequest

HEADER = "X-Lab-Fault"
REMEMBERED = 200_000


class LabFault(StrEnum):
    """Ways in which a request can end badly."""

    HTTP_429 = "http_429"
    HTTP_500 = "http_500"
    STALL = "stall"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    FILTERED = "filtered"


def read_share(text: str) -> tuple[LabFault, float]:
    """Read ``name=share``; a bare name has the share 1.

    Raises:
        ValueError: the name is unknown or the share not within 0 and 1.
    """
    name, _, share = text.strip().partition("=")
    if name not in list(LabFault):
        raise ValueError(f"unknown fault {name!r}; known are {', '.join(LabFault)}")
    value = float(share or 1.0)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"share of {name} must lie within 0 and 1, not {share}")
    return LabFault(name), value


class FaultPlan:
    """Draws the fault of each attempt; remembers how often a request has been seen.

    Only requests to which a fault applies are counted, and at most ``REMEMBERED`` of them.
    """

    def __init__(self, shares: Mapping[LabFault, float], lab_seed: int) -> None:
        self._shares, self._seed = dict(shares), lab_seed
        self._attempts: OrderedDict[int, int] = OrderedDict()

    def draw(self, request_key: int, header: str | None = None) -> LabFault | None:
        """The fault of this attempt, None for none.

        ``header`` ("name=share, name=share") replaces the configured shares for one request.

        Raises:
            BadRequest: the header cannot be read.
        """
        shares = self._shares if header is None else _read_header(header)
        if not shares:
            return None
        draw = Draw(self._seed, "fault", request_key, self._attempt(request_key))
        left = draw.unit("which")
        for fault, share in shares.items():
            left -= share
            if left < 0.0:
                return fault
        return None

    def _attempt(self, request_key: int) -> int:
        attempt = self._attempts.pop(request_key, 0)
        self._attempts[request_key] = attempt + 1
        if len(self._attempts) > REMEMBERED:
            self._attempts.popitem(last=False)
        return attempt


def _read_header(header: str) -> dict[LabFault, float]:
    try:
        return dict(read_share(part) for part in header.split(",") if part.strip())
    except ValueError as error:
        raise BadRequest(f"{HEADER}: {error}") from error


def spoiled(reply: Reply, fault: LabFault) -> Reply:
    """The reply as the faults that leave HTTP alone make it."""
    content = reply.content or ""
    if fault is LabFault.TRUNCATED:
        return replace(reply, content=content[: len(content) // 2], finish_reason="length")
    if fault is LabFault.EMPTY:
        return replace(reply, content="")
    if fault is LabFault.FILTERED:
        return Reply(None, finish_reason="content_filter")
    return replace(reply, content=f"{content[: len(content) * 2 // 3]}\n}}, oops: ")

"""Faults on request: what goes wrong, decided by request and attempt, so that a retry can succeed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace

from salitrap.lab.desk import Reply
from salitrap.lab.draws import Draw
from salitrap.lab.request import BadRequest
from salitrap.settings.lab_faults import LabFault, fault_names

__all__ = ["ATTEMPT_HEADER", "HEADER", "REMEMBERED", "FaultPlan", "LabFault", "read_share", "spoiled"]

HEADER = "X-Lab-Fault"
ATTEMPT_HEADER = "X-Attempt"
"""Number of this attempt at a call, from 1, with those of earlier processes; the client keeps the count."""

REMEMBERED = 200_000
LONGEST_NUMBER = 9


def read_share(text: str) -> tuple[LabFault, float]:
    """Read ``name=share``; a bare name has the share 1.

    Raises:
        ValueError: the name is unknown or the share not within 0 and 1.
    """
    name, _, share = text.strip().partition("=")
    if name not in list(LabFault):
        raise ValueError(f"unknown fault {name!r}; {fault_names(name)}")
    value = float(share or 1.0)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"share of {name} must lie within 0 and 1, not {share}")
    return LabFault(name), value


class FaultPlan:
    """Draws the fault of each attempt.

    A client that tells the attempt's number decides which draw it is, so that a call which failed for good
    draws anew in a resumed run. Other requests are counted here, at most ``REMEMBERED`` of them.
    """

    def __init__(self, shares: Mapping[LabFault, float], lab_seed: int) -> None:
        self._shares, self._seed = dict(shares), lab_seed
        self._attempts: OrderedDict[int, int] = OrderedDict()

    def draw(
        self, request_key: int, header: str | None = None, attempt: str | None = None
    ) -> LabFault | None:
        """The fault of this attempt, None for none.

        ``header`` ("name=share, name=share") replaces the configured shares for one request, ``attempt``
        ("1", "2", ...) the count of equal requests to this lab.

        Raises:
            BadRequest: a header cannot be read.
        """
        told = None if attempt is None else _read_attempt(attempt)
        shares = self._shares if header is None else _read_header(header)
        if not shares:
            return None
        number = self._counted(request_key) if told is None else told - 1
        draw = Draw(self._seed, "fault", request_key, number)
        left = draw.unit("which")
        for fault, share in shares.items():
            left -= share
            if left < 0.0:
                return fault
        return None

    def _counted(self, request_key: int) -> int:
        attempt = self._attempts.pop(request_key, 0)
        self._attempts[request_key] = attempt + 1
        if len(self._attempts) > REMEMBERED:
            self._attempts.popitem(last=False)
        return attempt


def _read_attempt(header: str) -> int:
    text = header.strip()
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= LONGEST_NUMBER and int(text)):
        raise BadRequest(f"{ATTEMPT_HEADER}: must be a whole number from 1 on, not {header!r}")
    return int(text)


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

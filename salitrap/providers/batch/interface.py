"""What a provider's batch interface offers, and what it says of a batch."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from salitrap.providers.wire.interface import UpstreamError, WireReply, WireRequest

TAG_DIGITS = 16
ID_LENGTH = 64
"""Most characters of a custom id that every provider takes."""


class Size(NamedTuple):
    """The most that fits into one batch."""

    requests: int
    octets: int


class Fault(NamedTuple):
    """Why a provider refused a batch as a whole; ``line`` counts its requests from 1."""

    code: str
    message: str
    line: int | None = None
    param: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a batch stands. ``word`` is the provider's own for its state; ``files`` hold its results.

    ``too_much`` says that it was refused because the provider holds too much for this account already;
    ``taken`` is False while it may still be refused.
    """

    word: str
    ended: bool
    done: int
    total: int
    files: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    too_much: bool = False
    taken: bool = True


@dataclass(frozen=True, slots=True)
class Sought:
    """A batch of which it is not known whether the provider has it.

    ``known`` are ids of batches that are others for certain; ``since`` is when it was made, by our clock.
    """

    tag: str
    upload: str
    requests: int
    since: datetime
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """``provider_id`` is empty when it was not found; ``undecided`` when that may still change.

    ``others`` were looked at and are not it.
    """

    provider_id: str = ""
    undecided: bool = False
    others: frozenset[str] = frozenset()


class Service(Protocol):
    """A provider's batch interface; all methods raise the SDK's exceptions and ``UpstreamError``."""

    limits: Size

    def body(self, request: WireRequest) -> bytes:
        """The request as JSON."""
        ...

    def line(self, custom_id: str, body: bytes) -> bytes:
        """One entry of a batch."""
        ...

    async def upload(self, tag: str, lines: Sequence[bytes]) -> str:
        """Bring the entries to the provider where that is a step of its own; nothing is paid yet."""
        ...

    async def create(self, tag: str, upload: str, lines: Sequence[bytes]) -> str:
        """Start the batch; returns the provider's id of it."""
        ...

    async def standing(self, provider_id: str) -> Standing:
        """Ask where it stands."""
        ...

    def results(self, provider_id: str, standing: Standing) -> AsyncIterator[bytes]:
        """Yield the lines of its results, in any order; a file that is gone has none."""
        ...

    def refusals(self, ids: Sequence[str], standing: Standing) -> Iterable[tuple[str, str]]:
        """Lines (by custom id) that stand for results when the provider refused the batch as a whole."""
        ...

    async def find(self, sought: Sought) -> Found:
        """Look for a batch whose submission was cut off."""
        ...

    def read(self, line: str) -> WireReply:
        """Read the reply in a line of results; raises what the request alone would have met."""
        ...


class BatchFailure(UpstreamError):
    """A request's own failure inside a batch; ``status`` is the one it would have had alone."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        body: str = "",
        param: str | None = None,
        code: str = "",
    ) -> None:
        super().__init__(message, status=status, body=body)
        self.param, self.code = param, code


class BatchUnfinished(BatchFailure):
    """The request was not done, and not for its own sake; it may be sent again."""


class BatchCancelled(BatchFailure):
    """Somebody cancelled the batch before the request was done."""


def custom_id(tag: str, key: str) -> str:
    """The id of a call inside a batch; it begins with the batch's tag, so that the batch is known by it."""
    return f"{tag}-{key}"[:ID_LENGTH]

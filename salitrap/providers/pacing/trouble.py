"""What goes wrong at this moment: calls that are being tried again, and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from salitrap.providers.endpoint import Endpoint
from salitrap.providers.wire.failures import Failure
from salitrap.providers.wire.told import cut

LONGEST_TEXT = 120


@dataclass(frozen=True, slots=True)
class Trouble:
    """A moment's view: calls under retry, the latest failure, how long it has lasted.

    ``retrying`` counts calls that have failed at least once and are not over; ``seconds`` is how long
    there has been at least one; ``in_flight`` counts all requests on their way, with those that wait for
    the ``rpm`` or ``tpm`` of their endpoint (``waiting_for_quota``). Without a call under retry ``last`` is
    empty.
    """

    retrying: int = 0
    last: str = ""
    seconds: float = 0.0
    in_flight: int = 0
    waiting_for_quota: int = 0


class Troubles:
    """Keeps the calls that are being tried again; ``clock`` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._retrying: set[Hashable] = set()
        self._last = ""
        self._since = 0.0

    def failed(self, call: Hashable, text: str) -> None:
        """An attempt of ``call`` failed, and another may follow."""
        if not self._retrying:
            self._since = self._clock()
        self._retrying.add(call)
        self._last = text

    def over(self, call: Hashable) -> None:
        """``call`` has ended, one way or the other."""
        self._retrying.discard(call)

    def now(self, in_flight: int = 0, waiting_for_quota: int = 0) -> Trouble:
        """Return the view of this moment."""
        if not self._retrying:
            return Trouble(in_flight=in_flight, waiting_for_quota=waiting_for_quota)
        seconds = self._clock() - self._since
        return Trouble(len(self._retrying), self._last, seconds, in_flight, waiting_for_quota)


def trouble_text(endpoint: Endpoint, failure: Failure) -> str:
    """``HTTP 502: out of memory (openai/NAME)``; the address is left out."""
    what = f"HTTP {failure.status}" if failure.status else failure.kind.value
    return f"{cut(f'{what}: {failure.reason}', LONGEST_TEXT)} ({named(endpoint)})"


def named(endpoint: Endpoint) -> str:
    """The endpoint's model, without its address."""
    return f"{endpoint.spec.provider.value}/{endpoint.spec.name}"

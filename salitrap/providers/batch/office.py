"""All batches of a run: which wire carries them, how they stand, and leaving them at the provider."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from salitrap.errors import BatchesLeft, ConfigError, StoppedError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.interface import Service
from salitrap.providers.batch.life import Life
from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.batch.wire import BatchWire
from salitrap.providers.journal.batches import BatchBook, Waiting
from salitrap.providers.journal.store import Journal
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.spec import Provider
from salitrap.providers.wire.interface import Wire

if TYPE_CHECKING:
    from salitrap.providers.wire.anthropic_wire import AnthropicWire
    from salitrap.providers.wire.openai_wire import OpenAIWire

HELD = "the provider takes no further batch for now"


@dataclass(frozen=True, slots=True)
class BatchView:
    """A moment's view of the batches that calls of this process wait for.

    ``seconds`` is how long the longest of them has been waited for; ``trouble`` is empty when all is well.
    """

    batches: int = 0
    requests: int = 0
    done: int = 0
    queued: int = 0
    seconds: float = 0.0
    trouble: str = ""


class BatchOffice:
    """One for a run; wires are made by ``wire`` and closed by ``close``."""

    def __init__(
        self,
        journal: Journal,
        redactor: Redactor,
        pace: BatchPace,
        guard: BudgetGuard,
        *,
        wait: bool,
        collect: bool = False,
    ) -> None:
        """``wait`` is False to leave as soon as everything that can be submitted is.

        With ``collect`` nothing is submitted.
        """
        self.journal, self._collect = journal.path, collect
        self._book, self._guard = BatchBook(journal), guard
        self._redactor, self._pace, self._wait = redactor, pace, wait
        self._wires: dict[int, BatchWire] = {}
        self._watching: asyncio.Task[None] | None = None
        self._left: StoppedError | None = None

    def wire(self, provider: Provider, address: str, inner: Wire) -> BatchWire:
        """The wire that sends in batches what ``inner`` would send one by one."""
        if id(inner) not in self._wires:
            service = _service(provider, inner, self._redactor)
            life = Life(address, service, self._book, self._redactor, self._pace)
            worst = self._guard.worst
            self._wires[id(inner)] = BatchWire(
                address, service, self._book, life, self._pace, worst, collect=self._collect
            )
        return self._wires[id(inner)]

    def refuse_double_payment(self, live: set[tuple[str, str]]) -> None:
        """Refuse to send one by one what waits in batches; ``live`` are address and model.

        Raises:
            ConfigError: there are such requests.
        """
        for _, model in sorted(self._book.waiting_models() & live):
            waiting = self._book.waiting()
            raise ConfigError(
                f"{counted(waiting)} of {model} wait at the provider and would be paid again one by one; "
                "give --batch (or 'batch: true' of the endpoint) to collect them"
            )

    def watch(self, in_flight: Callable[[], int]) -> None:
        """Leave by itself if so told; ``in_flight`` counts all requests on their way, batches or not.

        Those that wait for room in the budget are not on their way.
        """
        if not self._wait and self._wires:
            self._watching = asyncio.ensure_future(self._watch(in_flight))

    def leave(self, error: StoppedError) -> None:
        """Wait for no batch any more: every call in one, or that waits for the budget, raises ``error``."""
        self._left = self._left or error
        self._guard.leave(error)
        for wire in self._wires.values():
            wire.leave(error)

    def view(self) -> BatchView:
        """How the batches stand."""
        now = asyncio.get_running_loop().time()
        wires = list(self._wires.values())
        batches = [batch for wire in wires for batch in wire.open_batches]
        troubles = [batch.trouble for batch in batches if batch.trouble] + [HELD for w in wires if w.held]
        return BatchView(
            batches=len(batches),
            requests=sum(batch.total for batch in batches),
            done=sum(batch.done for batch in batches),
            queued=sum(wire.queued for wire in wires),
            seconds=max((now - batch.since for batch in batches), default=0.0),
            trouble=troubles[0] if troubles else "",
        )

    def waiting(self) -> Waiting:
        """What waits at providers, of earlier processes too."""
        return self._book.waiting()

    def oldest(self) -> datetime | None:
        """When the oldest batch that waits was made (UTC), None when none waits."""
        return self._book.oldest()

    def complete(self) -> None:
        """The run is complete: the next one asks again for what failed."""
        if self._wires:
            self._book.complete()

    async def close(self) -> None:
        """Let submissions under way end; batches go on at the provider."""
        if self._watching is not None:
            self._watching.cancel()
        for wire in self._wires.values():
            await wire.close()
        if self._wires:
            self._book.tidy()

    async def _watch(self, in_flight: Callable[[], int]) -> None:
        while self._left is None:
            await asyncio.sleep(self._pace.settle / 2)
            calls = sum(wire.calls for wire in self._wires.values())
            if calls and calls >= in_flight() and all(wire.settled() for wire in self._wires.values()):
                self.leave(BatchesLeft(self._why_left()))

    def _why_left(self) -> str:
        """What is done, and what has to wait until replies are there."""
        submitted = [wire.submitted for wire in self._wires.values()]
        now = Waiting(sum(one.requests for one in submitted), sum(one.batches for one in submitted))
        told = f"Submitted: {counted(now)}." if now.requests else "Nothing more can be submitted now."
        if self._guard.waiting:
            told += " The budget has no room for the others before replies are there."
        elif any(wire.held for wire in self._wires.values()):
            told += f" For the others {HELD}."
        return told


def counted(waiting: Waiting) -> str:
    """``12 requests in 1 batch``."""
    requests = f"{waiting.requests:,} request{'' if waiting.requests == 1 else 's'}"
    return f"{requests} in {waiting.batches:,} batch{'' if waiting.batches == 1 else 'es'}"


def _service(provider: Provider, inner: Wire, redactor: Redactor) -> Service:
    """The interface of a provider; only the SDK in use is loaded."""
    if provider is Provider.ANTHROPIC:
        from salitrap.providers.batch.anthropic_service import AnthropicService

        return AnthropicService(cast("AnthropicWire", inner).client, redactor)
    from salitrap.providers.batch.openai_service import OpenAIService

    return OpenAIService(cast("OpenAIWire", inner).client, redactor)

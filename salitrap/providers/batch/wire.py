"""A wire whose requests travel in batches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from secrets import token_hex
from typing import Any

from salitrap.errors import BatchesLeft, StoppedError
from salitrap.providers.batch.interface import TAG_DIGITS, BatchFailure, Service
from salitrap.providers.batch.life import Life, Request
from salitrap.providers.batch.open_batch import OpenBatch
from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.batch.queue import Queue
from salitrap.providers.journal.batches import BatchBook, BatchState, Waiting
from salitrap.providers.money.budget import Reservation
from salitrap.providers.wire.interface import UpstreamError, WireReply, WireRequest


class BatchWire:
    """The batch interface of one address as a ``Wire``: ``send`` returns when the request's batch is done.

    A request whose call is in a batch already, also one of an earlier process, waits for that batch.
    """

    def __init__(
        self,
        address: str,
        service: Service,
        book: BatchBook,
        life: Life,
        pace: BatchPace,
        worst: Callable[[str], Reservation],
        *,
        collect: bool = False,
    ) -> None:
        """``worst`` is the most that a call can cost, by its key; with ``collect`` nothing new is sent."""
        self._address, self._service, self._book = address, service, book
        self._life, self._pace, self._worst, self._collect = life, pace, worst, collect
        self._queues: dict[str, Queue] = {}
        self._batches: dict[str, OpenBatch] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._left: StoppedError | None = None
        self._moved = 0.0
        self.calls = 0

    async def send(self, request: WireRequest) -> WireReply:
        """Get the reply to ``request``, perhaps a day later.

        Raises:
            StoppedError: the room was left; the batch goes on at the provider.
        """
        refused_since: float | None = None
        with self._counted():
            while True:
                self._check()
                batch = self._holding(request.key) or await self._placed(request)
                if batch is not None:
                    await batch.over.wait()
                    if batch.error is not None:
                        raise batch.error.with_traceback(None)
                    if batch.finished:
                        return self._reply(batch, request.key)
                    refused_since = self._refused(batch, refused_since)

    async def close(self) -> None:
        """Let submissions under way end, wait for no batch, and free the process of them."""
        sending = [batch.sent.wait() for batch in self._batches.values() if not batch.sent.is_set()]
        if sending:
            await asyncio.wait(map(asyncio.ensure_future, sending), timeout=self._pace.closing)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def leave(self, error: StoppedError) -> None:
        """Every call raises ``error``; batches go on at the provider."""
        self._left = self._left or error
        for queue in self._queues.values():
            for entry in queue.entries.values():
                entry.placed.set()
            queue.entries.clear()
        for batch in self.open_batches:
            batch.error = batch.error or error
            batch.over.set()

    @property
    def open_batches(self) -> list[OpenBatch]:
        """Batches that are not over."""
        return [batch for batch in self._batches.values() if not batch.over.is_set()]

    @property
    def queued(self) -> int:
        """Requests that are in no batch yet."""
        return sum(len(queue.entries) for queue in self._queues.values())

    @property
    def submitted(self) -> Waiting:
        """What this process has brought to the provider, done or not."""
        sent = [one for one in self._batches.values() if one.ours and one.provider_id and not one.void]
        return Waiting(sum(batch.total for batch in sent), len(sent))

    @property
    def held(self) -> bool:
        """True when the provider takes no further batch at this moment."""
        return any(queue.held and queue.entries for queue in self._queues.values())

    def settled(self) -> bool:
        """True when everything that can be submitted is, and the provider was asked about all of it."""
        now = asyncio.get_running_loop().time()
        ready = any(queue.entries and not queue.held for queue in self._queues.values())
        looked = all(batch.sent.is_set() and batch.looked for batch in self.open_batches)
        return not ready and looked and now - self._moved >= self._pace.settle

    def _check(self) -> None:
        if self._left is not None:
            raise self._left

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self.calls += 1
        self._move()
        try:
            yield
        finally:
            self.calls -= 1
            self._move()

    def _refused(self, batch: OpenBatch, since: float | None) -> float | None:
        """Since when a request was refused for its size alone; ``batch`` is the last one it was in.

        Raises:
            BatchFailure: for too long; it will not fit by waiting.
        """
        if not (batch.too_much and batch.total == 1 and self._alone(batch)):
            return since
        now = asyncio.get_running_loop().time()
        since = now if since is None else since
        if now - since < self._pace.patience:
            return since
        error = BatchFailure(f"{batch.too_much} (so for {self._pace.patience:g} s)", status=400)
        error.batch = batch.tag
        raise error

    def _alone(self, batch: OpenBatch) -> bool:
        """True when no other batch for its model is open."""
        return not any(other.model == batch.model for other in self.open_batches)

    def _move(self) -> None:
        self._moved = asyncio.get_running_loop().time()

    def _holding(self, key: str) -> OpenBatch | None:
        """The batch that a call is in, taken up again when it is of an earlier process."""
        tag = self._book.holding(key, self._address)
        if tag is None:
            return None
        return self._batches.get(tag) or self._take_up(tag)

    def _take_up(self, tag: str) -> OpenBatch:
        row = self._book.row(tag)
        batch = OpenBatch(tag, row.model, row.requests, asyncio.get_running_loop().time())
        batch.provider_id, batch.word = row.provider_id, row.word
        self._batches[tag] = batch
        if row.state is BatchState.ENDED:
            batch.finished = True
            batch.close()
        else:
            self._start(batch, None)
        return batch

    async def _placed(self, request: WireRequest) -> OpenBatch | None:
        """Queue a request and return its batch, None when the room was left.

        Raises:
            BatchesLeft: nothing new is to be sent.
        """
        if self._collect:
            raise BatchesLeft("the batch gave no reply to this request")
        queue = self._queues.setdefault(request.model, Queue(self._service.limits))
        worst = self._worst(request.key)
        entry = queue.add(Request(request.key, self._service.body(request), worst, request.call))
        if queue.gathering is None or queue.gathering.done():
            queue.gathering = self._task(self._gather(request.model, queue))
        await entry.placed.wait()
        return entry.batch

    async def _gather(self, model: str, queue: Queue) -> None:
        """Make batches of the queue until it is empty."""
        while queue.entries:
            await queue.settled(self._pace.settle)
            entries = queue.take()
            if not entries:
                return
            now = asyncio.get_running_loop().time()
            batch = OpenBatch(token_hex(TAG_DIGITS // 2), model, len(entries), now, ours=True)
            self._batches[batch.tag] = batch
            for entry in entries:
                entry.batch = batch
                entry.placed.set()
            self._start(batch, [entry.request for entry in entries])
            while queue.careful and not batch.over.is_set():
                await asyncio.sleep(self._pace.settle)
                queue.careful = not batch.taken

    def _start(self, batch: OpenBatch, requests: list[Request] | None) -> None:
        self._task(self._lead(batch, requests))

    async def _lead(self, batch: OpenBatch, requests: list[Request] | None) -> None:
        await self._life.lead(batch, requests)
        self._move()
        queue = self._queues.setdefault(batch.model, Queue(self._service.limits))
        if batch.too_much:
            queue.hold(self._pace.longest_poll, batch.total if self._alone(batch) else None)
        elif batch.finished:
            queue.grow()

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _reply(self, batch: OpenBatch, key: str) -> WireReply:
        line = self._book.result(batch.tag, key)
        try:
            if line is None:
                raise batch.absent()
            return replace(self._service.read(line), batch=batch.tag)
        except UpstreamError as error:
            error.batch = batch.tag
            raise

"""The life of one batch: written down, submitted or found again, waited for, its results stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeVar

from salitrap.errors import EndpointUnavailable, Interrupted
from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.interface import BatchUnfinished, Service, Sought, Standing, custom_id
from salitrap.providers.batch.lines import owned
from salitrap.providers.batch.open_batch import OpenBatch
from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.journal.batches import BatchBook, BatchRow, NewRequest
from salitrap.providers.money.budget import NOTHING, Reservation
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure, failure_of

UNCERTAIN = frozenset({Kind.DROPPED, Kind.TIMEOUT, Kind.SERVER, Kind.BAD_REPLY, Kind.NONSENSE})
"""Failures after which the provider may have the batch all the same."""

NO_INTERFACE = frozenset({404, 405, 501})
KEPT = timedelta(days=31)
"""After which no provider keeps a batch."""

CHUNK = 500
AnswerT = TypeVar("AnswerT")


class Request(NamedTuple):
    """A call's key, what is sent for it, as JSON, the most it can cost, and the call for later processes."""

    key: str
    body: bytes
    worst: Reservation = NOTHING
    call: str = ""


class Life:
    """Leads batches at one address through their lives."""

    def __init__(
        self, address: str, service: Service, book: BatchBook, redactor: Redactor, pace: BatchPace
    ) -> None:
        self._address, self._service, self._book = address, service, book
        self._redactor, self._pace = redactor, pace

    async def lead(self, batch: OpenBatch, requests: Sequence[Request] | None) -> None:
        """Submit ``requests``, or take up a batch of an earlier process (None), and see it to its end."""
        try:
            if requests is not None:
                await self._submit(batch, requests)
            elif not batch.provider_id:
                await self._seek(batch)
            batch.sent.set()
            if not batch.void:
                await self._wait(batch)
        except Exception as error:
            batch.error = error  # raised by every call that waits for the batch
        finally:
            batch.close(Interrupted("stopped before the batch was done"))

    async def _submit(self, batch: OpenBatch, requests: Sequence[Request]) -> None:
        names = [custom_id(batch.tag, request.key) for request in requests]
        lines = [
            self._service.line(name, request.body) for name, request in zip(names, requests, strict=True)
        ]
        entries = [
            NewRequest(request.key, name, request.worst.tokens, request.worst.usd, request.call)
            for request, name in zip(requests, names, strict=True)
        ]
        self._book.intend(batch.tag, self._address, batch.model, entries)
        try:
            upload = await self._service.upload(batch.tag, lines)
        except Exception as error:
            self._void_unsent(batch, error)
            raise
        if upload:
            self._book.uploaded(batch.tag, upload)
        await self._create(batch, upload, lines)

    async def _create(self, batch: OpenBatch, upload: str, lines: Sequence[bytes]) -> None:
        try:
            provider_id = await self._service.create(batch.tag, upload, lines)
        except Exception as error:
            if failure_of(error).kind not in UNCERTAIN:
                self._void_unsent(batch, error)
                raise
            await self._seek(batch)
            if batch.void:
                raise _could_not(failure_of(error)) from error
        else:
            self._submitted(batch, provider_id)

    def _submitted(self, batch: OpenBatch, provider_id: str) -> None:
        self._book.submitted(batch.tag, provider_id)
        batch.provider_id = provider_id

    def _void_unsent(self, batch: OpenBatch, error: Exception) -> None:
        """The provider does not have it; raises what its calls are told, where that is not ``error``."""
        failure = failure_of(error)
        self._book.void(batch.tag, "not submitted")
        if failure.status in NO_INTERFACE:
            raise EndpointUnavailable(
                f"{self._address} has no batch interface for {batch.model} (HTTP {failure.status}: "
                f"{failure.reason}); leave --batch away, or 'batch:' of the endpoint in the settings"
            ) from error
        if failure.rule.retryable:
            raise _could_not(failure) from error

    async def _seek(self, batch: OpenBatch) -> None:
        """Find a batch whose submission was cut off, or void it."""
        batch.sent.set()
        row = self._book.row(batch.tag)
        for pause in self._pace.polls():
            found = await self._answer(batch, self._service.find(self._sought(batch, row)))
            if found is not None and found.provider_id:
                self._submitted(batch, found.provider_id)
                return
            if found is not None:
                batch.others |= found.others
                age = (datetime.now(UTC) - row.created_at).total_seconds()
                if not found.undecided and age >= self._pace.grace:
                    self._book.void(batch.tag, "not found")
                    batch.void = True
                    return
            await asyncio.sleep(pause)

    def _sought(self, batch: OpenBatch, row: BatchRow) -> Sought:
        known = self._book.known_ids(self._address) | batch.others
        return Sought(row.tag, row.upload, row.requests, row.created_at, known)

    async def _wait(self, batch: OpenBatch) -> None:
        for pause in self._pace.polls():
            standing = await self._answer(batch, self._service.standing(batch.provider_id))
            if batch.void:
                return
            if standing is not None:
                batch.done = max(batch.done, standing.done)
                batch.taken = standing.taken and not standing.too_much
                if standing.ended and await self._end(batch, standing):
                    return
            await asyncio.sleep(pause)

    async def _end(self, batch: OpenBatch, standing: Standing) -> bool:
        """Store the results of a batch that has ended; False when they must be fetched again."""
        if standing.too_much:
            self._book.void(batch.tag, standing.word)
            batch.void, batch.too_much = True, standing.faults[0].message
            return True
        stored = await self._answer(batch, self._fetch(batch, standing))
        if stored is None:
            return False
        self._book.ended(batch.tag, standing.word)
        batch.word, batch.finished = standing.word, True
        return True

    async def _fetch(self, batch: OpenBatch, standing: Standing) -> bool:
        chunk: list[tuple[str, str]] = []
        async for line in self._service.results(batch.provider_id, standing):
            if (mine := owned(line, self._redactor)) is not None:
                chunk.append(mine)
            if len(chunk) >= CHUNK:
                self._book.store(batch.tag, chunk)
                chunk.clear()
        chunk += self._service.refusals(self._book.ids(batch.tag), standing) if standing.faults else ()
        self._book.store(batch.tag, chunk)
        return True

    async def _answer(self, batch: OpenBatch, question: Awaitable[AnswerT]) -> AnswerT | None:
        """What the provider says; None when it failed in passing and is to be asked again.

        Raises:
            StoppedError: it does not know the batch, or has failed for too long.
        """
        try:
            answer = await question
        except Exception as error:
            self._note(batch, failure_of(error), error)
            return None
        finally:
            batch.looked = True
        batch.trouble, batch.failing_since = "", None
        return answer

    def _note(self, batch: OpenBatch, failure: Failure, error: Exception) -> None:
        """Put a failure down as passing, or raise what it means."""
        now = asyncio.get_running_loop().time()
        batch.failing_since = now if batch.failing_since is None else batch.failing_since
        batch.trouble = failure.redacted(self._redactor).reason
        if failure.kind is Kind.NOT_FOUND:
            self._lost(batch)
        elif not failure.rule.retryable:
            raise error
        elif now - batch.failing_since >= self._pace.patience:
            raise EndpointUnavailable(
                f"{self._address} has not said for {self._pace.patience:g} s where batch {batch.provider_id} "
                f"stands: {batch.trouble}"
            ) from error

    def _lost(self, batch: OpenBatch) -> None:
        """The provider does not know it: gone when it is old, else asked for with another key."""
        if datetime.now(UTC) - self._book.row(batch.tag).created_at >= KEPT:
            self._book.void(batch.tag, "no longer kept")
            batch.void = True
            return
        raise EndpointUnavailable(
            f"{self._address} does not know batch {batch.provider_id or batch.tag} ({batch.trouble}); give "
            "the key of the account that submitted it, or choose another --out to pay for its requests again"
        )


def _could_not(failure: Failure) -> BatchUnfinished:
    return BatchUnfinished(f"the batch could not be submitted: {failure.reason}", status=failure.status)

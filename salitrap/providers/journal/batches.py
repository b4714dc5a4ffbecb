"""Batches at providers, in the journal: known before they are submitted, kept until every reply is booked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from salitrap.providers.journal.store import Journal


class BatchState(StrEnum):
    """Where a batch stands for us."""

    INTENDED = "intended"
    SUBMITTED = "submitted"
    ENDED = "ended"
    CLOSED = "closed"
    VOID = "void"


OPEN = (BatchState.INTENDED.value, BatchState.SUBMITTED.value, BatchState.ENDED.value)


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A batch. ``word`` says how it ended, where its requests have no result of their own."""

    tag: str
    address: str
    model: str
    state: BatchState
    upload: str
    provider_id: str
    word: str
    created_at: datetime
    requests: int


class NewRequest(NamedTuple):
    """A request of a batch: its call's key, its custom id, the most it can cost, and its call as JSON."""

    key: str
    custom_id: str
    tokens: int
    usd: float
    call: str = ""


class Waiting(NamedTuple):
    """Requests that providers have and whose replies are not booked, and in how many batches they are."""

    requests: int
    batches: int


_UNBOOKED = """
    batch_requests AS wanted JOIN batches ON batches.tag = wanted.tag
    WHERE batches.state IN (?, ?, ?)
      AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.key = wanted.key AND calls.batch = wanted.tag)
"""


class BatchBook:
    """The tables ``batches`` and ``batch_requests``.

    Every method raises ``DiskFull`` when something cannot be written.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def intend(self, tag: str, address: str, model: str, requests: Sequence[NewRequest]) -> None:
        """Write down a batch of calls before anything of it is sent."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        entries = [(tag, place, *request) for place, request in enumerate(requests)]
        columns = "tag, place, key, custom_id, tokens, usd, call"
        with self._journal.transaction() as db:
            row = (tag, address, model, BatchState.INTENDED.value, now)
            db.execute("INSERT INTO batches VALUES (?, ?, ?, ?, '', '', '', ?)", row)
            db.executemany(f"INSERT INTO batch_requests ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", entries)

    def uploaded(self, tag: str, upload: str) -> None:
        """The provider has the file of requests."""
        self._set(tag, "upload = ?", upload)

    def submitted(self, tag: str, provider_id: str) -> None:
        """The provider has the batch."""
        self._set(tag, "state = 'submitted', provider_id = ?", provider_id)

    def ended(self, tag: str, word: str) -> None:
        """All its results are in the journal."""
        self._set(tag, "state = 'ended', word = ?", word)

    def void(self, tag: str, word: str) -> None:
        """The provider does not have it, or did nothing of it: its requests are free again."""
        self._set(tag, "state = 'void', word = ?", word)

    def store(self, tag: str, results: Iterable[tuple[str, str]]) -> None:
        """Keep lines of results by custom id: the first one of a request, and none that is foreign."""
        rows = [(line, tag, name) for name, line in results]
        with self._journal.transaction() as db:
            db.executemany(
                "UPDATE batch_requests SET result = ? WHERE tag = ? AND custom_id = ? AND result IS NULL",
                rows,
            )

    def ids(self, tag: str) -> list[str]:
        """Custom ids of its requests, in the order in which they were sent."""
        found = self._rows("SELECT custom_id FROM batch_requests WHERE tag = ? ORDER BY place", tag)
        return [row[0] for row in found]

    def result(self, tag: str, key: str) -> str | None:
        """The line of a request, None when there is none."""
        found = self._rows("SELECT result FROM batch_requests WHERE key = ? AND tag = ?", key, tag)
        return found[0][0] if found else None

    def row(self, tag: str) -> BatchRow:
        """The batch."""
        query = "SELECT *, (SELECT count(*) FROM batch_requests AS r WHERE r.tag = b.tag) FROM batches AS b"
        tag, address, model, state, upload, provider_id, word, made, requests = self._rows(
            f"{query} WHERE tag = ?", tag
        )[0]
        when = datetime.fromisoformat(made)
        return BatchRow(tag, address, model, BatchState(state), upload, provider_id, word, when, requests)

    def holding(self, key: str, address: str) -> str | None:
        """Tag of the batch that has the reply to a call, or will have it; None when the call is free."""
        query = f"SELECT wanted.tag FROM {_UNBOOKED} AND wanted.key = ? AND batches.address = ? LIMIT 1"
        found = self._rows(query, *OPEN, key, address)
        return found[0][0] if found else None

    def waits(self, key: str) -> bool:
        """True when a batch has the reply to a call, or will have it."""
        return bool(self._rows(f"SELECT 1 FROM {_UNBOOKED} AND wanted.key = ? LIMIT 1", *OPEN, key))

    def worst_cases(self) -> Iterator[tuple[str, int, float]]:
        """Key, tokens and USD of all that waits: the most that it can cost."""
        yield from self._rows(f"SELECT wanted.key, wanted.tokens, wanted.usd FROM {_UNBOOKED}", *OPEN)

    def known_ids(self, address: str) -> frozenset[str]:
        """Ids of batches at ``address`` that are ours."""
        found = self._rows("SELECT provider_id FROM batches WHERE address = ? AND provider_id <> ''", address)
        return frozenset(row[0] for row in found)

    def waiting(self) -> Waiting:
        """What waits at providers or is to be booked."""
        query = f"SELECT count(*), count(DISTINCT wanted.tag) FROM {_UNBOOKED}"
        return Waiting(*self._rows(query, *OPEN)[0])

    def calls(self) -> list[str]:
        """The calls of all that waits, as JSON; those of an earlier version are not known."""
        return [
            row[0] for row in self._rows(f"SELECT wanted.call FROM {_UNBOOKED} AND wanted.call <> ''", *OPEN)
        ]

    def oldest(self) -> datetime | None:
        """When the oldest batch of which something waits was made (UTC), None when nothing waits."""
        found = self._rows(f"SELECT min(batches.created_at) FROM {_UNBOOKED}", *OPEN)[0][0]
        return None if found is None else datetime.fromisoformat(found)

    def waiting_models(self) -> set[tuple[str, str]]:
        """Address and model of all that waits."""
        query = f"SELECT DISTINCT batches.address, batches.model FROM {_UNBOOKED}"
        return {(row[0], row[1]) for row in self._rows(query, *OPEN)}

    def complete(self) -> None:
        """The run is complete: what has ended, and is booked, no longer stands for what would be asked."""
        booked = "SELECT 1 FROM calls WHERE calls.key = wanted.key AND calls.batch = wanted.tag"
        unbooked = (
            f"SELECT 1 FROM batch_requests AS wanted WHERE wanted.tag = batches.tag AND NOT EXISTS ({booked})"
        )
        with self._journal.transaction() as db:
            db.execute(
                f"UPDATE batches SET state = 'closed' WHERE state = 'ended' AND NOT EXISTS ({unbooked})"
            )

    def tidy(self) -> None:
        """Drop results and calls of requests whose reply is booked: its row has them too."""
        booked = (
            "SELECT 1 FROM calls WHERE calls.key = batch_requests.key AND calls.batch = batch_requests.tag"
        )
        held = "(result IS NOT NULL OR call <> '')"
        with self._journal.transaction() as db:
            db.execute(
                f"UPDATE batch_requests SET result = NULL, call = '' WHERE {held} AND EXISTS ({booked})"
            )

    def _set(self, tag: str, change: str, value: str) -> None:
        with self._journal.transaction() as db:
            db.execute(f"UPDATE batches SET {change} WHERE tag = ?", (value, tag))

    def _rows(self, query: str, *values: object) -> list[Any]:
        return [tuple(row) for row in self._journal.select(query, values)]

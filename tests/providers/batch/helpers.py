"""What the tests of batches share; run as a program, a client that can be killed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.journal.store import Journal
from salitrap.providers.open import open_access
from tests.providers.batch.servers import BatchServer
from tests.providers.helpers import endpoint, journal_at, pacing, settings
from tests.providers.servers import chat, claude

FAST = BatchPace(settle=0.05, first_poll=0.02, longest_poll=0.05, grace=0.0, patience=0.5, closing=1.0)
KINDS = ("openai", "anthropic")


def echo(body: dict[str, Any]) -> Any:
    """A reply that names the question, in the shape of whoever asked."""
    text = f"to {body['messages'][-1]['content']}"
    return chat(text) if "openai" in body["model"] else claude(text)


def spec(kind: str, server: BatchServer) -> str:
    return f"openai/openai-m@{server.url}" if kind == "openai" else f"anthropic/m@{server.root}"


def chosen(kind: str, server: BatchServer, **more: Any) -> Any:
    limits = {"attempts": 3, **more.pop("limits", {})}
    return settings(endpoint(spec(kind, server), batch=True, **more), limits=limits)


@asynccontextmanager
async def opened(given: Any, folder: Path, pace: BatchPace = FAST, **more: Any) -> AsyncIterator[Any]:
    async with open_access(given, journal_at(folder), pacing=pacing(), batches=pace, **more) as access:
        yield access


def book(folder: Path) -> Any:
    return closing(Journal(journal_at(folder), read_only=True))


def rows(folder: Path, columns: str = "*") -> list[Any]:
    with book(folder) as journal:
        return [tuple(row) for row in journal.select(f"SELECT {columns} FROM calls ORDER BY id")]


async def asked(access: Any, count: int) -> list[Any]:
    return await asyncio.gather(*(access.answer(f"q{number}") for number in range(count)))


async def until(condition: Any, seconds: float = 20.0) -> None:
    """Wait until ``condition()`` is true."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


async def client(spec_text: str, folder: str, count: str) -> None:
    given = settings(endpoint(spec_text, batch=True))
    async with opened(given, Path(folder)) as access:
        await asked(access, int(count))


if __name__ == "__main__":
    asyncio.run(client(*sys.argv[1:]))

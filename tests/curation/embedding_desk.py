"""A loopback embeddings server and a filter f5 over it, with ledger, budget and store as a run has them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from curation.dedup import Deduplicator, Duplicate
from curation.dedup.embeddings_client import EmbeddingsClient, site_of
from curation.dedup.purse import RunPurse
from curation.dedup.semantic import EmbeddingsFilter, MeaningLimits, reserve_by_meaning
from curation.dedup.vectors import VectorStore
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.money.prices import embeddings_price
from salitrap.providers.money.spend import Ledger
from salitrap.providers.pacing.retry import Pacing
from salitrap.records import Seed
from salitrap.settings import Budget, EndpointSettings, SimilaritySettings
from tests.curation.test_dedup import plain
from tests.providers.servers import Server, serving

Answer = Callable[[dict[str, Any], int], Any]
KEY = "sk-embedding-secret-123"
TEXTS = (
    "The lift is dead until noon, so when does the piano go up in it at eleven?",
    "At eleven the piano should ride up in the elevator that has no power before twelve: when?",
    "How many litres of petrol does my rowing boat burn on 30 km of lake?",
    "A kite of three metres in a closed hall: how much line do I need for 40 m?",
)
ANGLES = {TEXTS[0]: 0.0, TEXTS[1]: 0.2, TEXTS[2]: 1.2, TEXTS[3]: 0.2 + math.acos(0.88)}
"""Radians; cosines of about .98 (0 and 1), .88 (1 and 3) and less for the others but 2 and 3."""


def vector(text: str) -> list[float]:
    angle = ANGLES.get(text, (sum(text.encode()) % 97) / 10.0)
    return [3.0 * math.cos(angle), 3.0 * math.sin(angle)]


def reply(body: dict[str, Any], number: int = 0) -> dict[str, Any]:
    """An embeddings reply, its rows in reverse order: only ``index`` counts."""
    rows = [{"index": place, "embedding": vector(text)} for place, text in enumerate(body["input"])]
    return {"data": rows[::-1], "model": "served", "usage": {"prompt_tokens": 10 * len(rows)}}


async def no_sleep(seconds: float) -> None:
    await asyncio.sleep(0)


PACING = Pacing(sleep=no_sleep, draw=lambda: 0.0)


class Desk:
    """A filter over a server, with a ledger and a store as a run has them."""

    def __init__(self, server: Server, store: VectorStore, budget: Budget, limits: MeaningLimits) -> None:
        endpoint = EndpointSettings(
            spec=f"openai/embed@{server.url}", api_key_env="EMBED_KEY", price_input=2.0, timeout=5.0
        )
        site = site_of(endpoint, {"EMBED_KEY": KEY})
        self.ledger = Ledger(lambda model, address: None)
        guard = BudgetGuard(budget, self.ledger)
        purse = RunPurse(guard, self.ledger, store, (site.spec, site.address), embeddings_price(endpoint))
        self.client = EmbeddingsClient(site, purse, PACING)
        self.meaning = EmbeddingsFilter(self.client, store, limits)
        self.dedup = Deduplicator(SimilaritySettings())

    async def reserve(self, *seeds: Seed) -> list[str]:
        verdicts = await reserve_by_meaning(self.dedup, self.meaning, seeds)
        return [verdict.twin_id if isinstance(verdict, Duplicate) else "kept" for verdict in verdicts]


@asynccontextmanager
async def desk(
    tmp_path: Path, answer: Answer = reply, budget: Budget | None = None, batch_size: int = 64
) -> AsyncIterator[tuple[Desk, Server]]:
    async with serving(answer) as server, desk_at(server, tmp_path, budget, batch_size) as one:
        yield one, server


@asynccontextmanager
async def desk_at(
    server: Server, tmp_path: Path, budget: Budget | None = None, batch_size: int = 64
) -> AsyncIterator[Desk]:
    """A process of its own with the run's file."""
    with closing(VectorStore(tmp_path / "embeddings.sqlite")) as store:
        limits = MeaningLimits(threshold=0.95, review_from=0.85, batch_size=batch_size)
        one = Desk(server, store, budget or Budget(), limits)
        try:
            yield one
        finally:
            await one.client.close()


SEEDS = tuple(plain(number, text) for number, text in enumerate(TEXTS))

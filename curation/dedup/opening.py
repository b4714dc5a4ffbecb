"""Open filter f5 for a run: its client, its file, its purse; close them at the end.

Import this only where f5 is on: it brings the SDK along.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path

from curation.dedup.embeddings_client import EmbeddingsClient, site_of
from curation.dedup.purse import RunPurse
from curation.dedup.semantic import EmbeddingsFilter, MeaningLimits
from curation.dedup.vectors import VectorStore
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.money.prices import embeddings_price
from salitrap.providers.money.spend import Ledger
from salitrap.providers.pacing.retry import Pacing
from salitrap.settings import MeaningSettings


@asynccontextmanager
async def open_meaning(
    settings: MeaningSettings,
    accounts: tuple[Ledger, BudgetGuard],
    path: Path,
    *,
    environment: Mapping[str, str] | None = None,
    pacing: Pacing | None = None,
) -> AsyncIterator[EmbeddingsFilter]:
    """Yield the filter; vectors and costs are kept in ``path``, and past costs join the ledger.

    ``environment`` stands for ``os.environ``.

    Raises:
        ConfigError: the endpoint cannot be used, or its key is missing.
        RunDirectoryError, DiskFull: the file cannot be used.
    """
    endpoint, (ledger, guard) = settings.endpoint, accounts
    site = site_of(
        endpoint, os.environ if environment is None else environment, dimensions=settings.dimensions
    )
    limits = MeaningLimits(settings.threshold, settings.review_from, settings.batch_size)
    with closing(VectorStore(path)) as store:
        purse = RunPurse(guard, ledger, store, (site.spec, site.address), embeddings_price(endpoint))
        client = EmbeddingsClient(site, purse, pacing)
        try:
            yield EmbeddingsFilter(client, store, limits)
        finally:
            await client.close()

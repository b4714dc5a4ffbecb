"""Collect what waits in batches, whatever the settings of the run are by now: it is paid for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from salitrap.errors import BatchesLeft, StoppedError
from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.batch.recorded import Recorded, recalled
from salitrap.providers.journal.batches import BatchBook, Waiting
from salitrap.providers.journal.store import Journal
from salitrap.providers.open import open_access
from salitrap.providers.request import CallRequest
from salitrap.records.enums import Role
from salitrap.settings.endpoints import EndpointSettings, Policy, RoleSettings
from salitrap.settings.model import Limits, Settings

ONCE = Limits(attempts=1)
"""What failed in a batch is not asked again here."""


async def collect_batches(
    journal_path: Path, *, environment: Mapping[str, str] | None = None, pace: BatchPace | None = None
) -> Waiting:
    """Book every reply that is done, send nothing new, and return what still waits.

    Replies of an earlier version's batches are not among them: its journal does not say what was asked.

    Raises:
        ConfigError: a key, a proxy or a file of certificates that the batches need is not there.
        StoppedError: a provider refuses the key, or does not answer.
    """
    with closing(Journal(journal_path, read_only=True)) as journal:
        book = BatchBook(journal)
        calls, waiting = [recalled(text) for text in book.calls()], book.waiting()
    if not calls:
        return waiting
    settings, requests = _settings(calls)
    async with open_access(
        settings, journal_path, environment=environment, batches=pace, wait=False, collect=True
    ) as access:
        ended = await asyncio.gather(*map(access.collect, requests), return_exceptions=True)
        waiting = access.batches.waiting()
    _raise_worst([error for error in ended if isinstance(error, BaseException)])
    return waiting


def _settings(calls: Sequence[Recorded]) -> tuple[Settings, list[CallRequest]]:
    """Settings in which each call goes to its own endpoint, and the calls with their places in them."""
    pools: dict[Role, dict[EndpointSettings, int]] = {}
    requests = []
    for endpoint, request in calls:
        pool = pools.setdefault(request.role, {})
        requests.append(replace(request, slot=pool.setdefault(endpoint, len(pool))))
    roles = {
        role: RoleSettings(endpoints=tuple(pool), policy=Policy.ROUND_ROBIN) for role, pool in pools.items()
    }
    return Settings(roles=roles, limits=ONCE), requests


def _raise_worst(errors: Sequence[BaseException]) -> None:
    """A fault of ours first, then why a provider could not be asked; what still waits is no error."""
    others = [error for error in errors if not isinstance(error, BatchesLeft)]
    for error in (*(one for one in others if not isinstance(one, StoppedError)), *others):
        raise error

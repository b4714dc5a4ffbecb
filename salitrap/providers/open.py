"""Open model access for a run: lab, clients, journal, budget; close them all at the end."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING

from salitrap.errors import ConfigError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.batch.office import BatchOffice
from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.build import Blueprint, Surroundings, blueprint_of, connect
from salitrap.providers.caller import Books, Caller
from salitrap.providers.collector import rare_collections
from salitrap.providers.journal.batches import BatchBook
from salitrap.providers.journal.drift import answered_as, drifts, ids_by_place
from salitrap.providers.journal.store import Journal
from salitrap.providers.key_logs import clean_logs
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.money.prices import price_lookup, require_prices
from salitrap.providers.money.spend import Ledger, Spend, Totals
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.pool import Pool
from salitrap.records.enums import Role
from salitrap.settings.model import Settings

if TYPE_CHECKING:
    from salitrap.providers.model_access import ModelAccess


@asynccontextmanager
async def open_access(
    settings: Settings,
    journal_path: Path,
    *,
    pacing: Pacing | None = None,
    environment: Mapping[str, str] | None = None,
    batches: BatchPace | None = None,
    wait: bool = True,
    collect: bool = False,
) -> AsyncIterator[ModelAccess]:
    """Yield access to the models of ``settings``; every call is kept in ``journal_path``.

    Specs and keys are checked before anything is started or sent. The lab is started when a spec
    names it. ``environment`` stands for ``os.environ``. ``batches`` says how long to wait for what where
    requests travel in batches; ``wait`` is False to leave once everything that can be submitted is, and with
    ``collect`` nothing is submitted at all.

    Raises:
        ConfigError: a spec is not understood, a key is missing, or a USD budget lacks prices, be it of
            calls that the journal has already, or requests would be paid that wait in a batch.
        RunDirectoryError: the journal is foreign, newer, or in use.
    """
    plan = blueprint_of(settings, os.environ if environment is None else environment)
    require_prices(settings)
    keep_dspy_offline()
    from salitrap.providers.model_access import ModelAccess

    async with AsyncExitStack() as stack:
        journal = stack.enter_context(closing(Journal(journal_path)))
        ledger = Ledger(price_lookup(settings), journal.totals())
        _check_past(settings, ledger, journal_path)
        lab_url = await _lab_url(settings, plan, stack)
        redactor = Redactor(plan.secrets)
        stack.push(redactor.scrub)
        stack.enter_context(clean_logs(redactor))
        time = Pacing() if pacing is None else pacing
        guard = BudgetGuard(settings.budget, ledger, BatchBook(journal))
        office = BatchOffice(journal, redactor, batches or BatchPace(), guard, wait=wait, collect=collect)
        pools = connect(plan, settings, Surroundings(settings.lab, lab_url, redactor, time, office), stack)
        stack.push_async_callback(office.close)
        _remember_ids(pools, journal)
        office.refuse_double_payment(_sent_alone(pools))
        books = Books(journal, ledger, guard)
        caller = Caller(pools, books, limits=settings.limits, redactor=redactor, pacing=time)
        access = ModelAccess(
            caller, ledger, guard, pools, journal, reasks=settings.limits.reasks, batches=office
        )
        office.watch(lambda: access.in_flight - guard.waiting)
        stack.enter_context(rare_collections())
        yield access


def _remember_ids(pools: Mapping[Role, Pool], journal: Journal) -> None:
    """Under which ids the models have answered, so that a change between two processes is reported too."""
    ids = ids_by_place(answered_as(journal))
    for pool in pools.values():
        for endpoint in pool.endpoints:
            endpoint.known_ids = dict.fromkeys(ids.get((endpoint.spec.text, endpoint.address), ()))


def _sent_alone(pools: Mapping[Role, Pool]) -> set[tuple[str, str]]:
    """Address and model of what is asked one by one, and not in batches too."""
    endpoints = [endpoint for pool in pools.values() for endpoint in pool.endpoints]
    sites = [{(e.address, e.spec.name) for e in endpoints if e.batch is batch} for batch in (False, True)]
    return sites[0] - sites[1]


def read_spend(journal_path: Path, settings: Settings, besides: Iterable[Totals] = ()) -> Spend:
    """What a run has used, read without opening it for writing; ``besides`` is what was booked elsewhere.

    Raises:
        RunDirectoryError: there is no journal, or it cannot be read.
    """
    with closing(Journal(journal_path, read_only=True)) as journal:
        spend = Ledger(price_lookup(settings), (*journal.totals(), *besides)).spend()
        return spend.model_copy(update={"drifts": drifts(answered_as(journal))})


def _check_past(settings: Settings, ledger: Ledger, journal_path: Path) -> None:
    """A budget in USD counts all calls of the journal, those of models that are no longer named too."""
    if settings.budget.usd is not None and (unpriced := ledger.unpriced()):
        raise ConfigError(
            f"budget.usd cannot be kept: {journal_path} has calls of {', '.join(unpriced)}, whose price is "
            "not known; give price_input and price_output where the settings name it (as the last endpoint "
            "of a role with 'policy: failover' if it is no longer wanted), or limit calls or tokens instead"
        )


async def _lab_url(settings: Settings, plan: Blueprint, stack: AsyncExitStack) -> str | None:
    if not plan.needs_lab:
        return None
    from salitrap.lab.process import lab_process

    url: str = await stack.enter_async_context(lab_process(settings.lab))
    return url


def keep_dspy_offline() -> None:
    """Before DSPy is imported: no price map and no model metadata over the network."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

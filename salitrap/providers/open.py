"""Open model access for a run: lab, clients, journal, budget; close them all at the end."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING

from salitrap.errors import ConfigError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.build import Blueprint, blueprint_of, connect
from salitrap.providers.caller import Books, Caller
from salitrap.providers.journal.store import Journal
from salitrap.providers.money.budget import BudgetGuard
from salitrap.providers.money.prices import endpoints_of, price_dates_of, prices_of, unpriced_specs
from salitrap.providers.money.spend import Ledger, Spend
from salitrap.providers.pacing.retry import Pacing
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
) -> AsyncIterator[ModelAccess]:
    """Yield access to the models of ``settings``; every call is kept in ``journal_path``.

    Specs and keys are checked before anything is started or sent. The lab is started when a spec
    names it. ``environment`` stands for ``os.environ``.

    Raises:
        ConfigError: a spec is not understood, a key is missing, or a USD budget lacks prices.
        RunDirectoryError: the journal is foreign, newer, or in use.
    """
    plan = blueprint_of(settings, os.environ if environment is None else environment)
    _check_budget(settings)
    _keep_dspy_offline()
    from salitrap.providers.model_access import ModelAccess

    async with AsyncExitStack() as stack:
        journal = stack.enter_context(closing(Journal(journal_path)))
        lab_url = await _lab_url(settings, plan, stack)
        redactor = Redactor(plan.secrets)
        pools = connect(plan, settings, lab_url, redactor, stack)
        ledger = Ledger(prices_of(settings), journal.totals(), price_dates_of(settings))
        books = Books(journal, ledger, BudgetGuard(settings.budget, ledger))
        caller = Caller(
            pools,
            books,
            limits=settings.limits,
            redactor=redactor,
            pacing=Pacing() if pacing is None else pacing,
        )
        yield ModelAccess(caller, ledger, pools, reasks=settings.limits.reasks)


def read_spend(journal_path: Path, settings: Settings) -> Spend:
    """What a run has used, read without opening it for writing.

    Raises:
        RunDirectoryError: there is no journal, or it cannot be read.
    """
    with closing(Journal(journal_path, read_only=True)) as journal:
        return Ledger(prices_of(settings), journal.totals(), price_dates_of(settings)).spend()


def _check_budget(settings: Settings) -> None:
    if settings.budget.usd is None:
        return
    if unpriced := unpriced_specs(endpoints_of(settings)):
        raise ConfigError(
            "budget.usd needs the prices of every endpoint; give price_input and price_output for "
            f"{', '.join(unpriced)}, or limit calls or tokens instead"
        )


async def _lab_url(settings: Settings, plan: Blueprint, stack: AsyncExitStack) -> str | None:
    if not plan.needs_lab:
        return None
    from salitrap.lab.process import lab_process

    url: str = await stack.enter_async_context(lab_process(settings.lab))
    return url


def _keep_dspy_offline() -> None:
    """Before DSPy is imported: no price map and no model metadata over the network."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

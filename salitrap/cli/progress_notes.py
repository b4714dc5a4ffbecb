"""Texts of the progress: counts, calls, trouble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from salitrap.providers.batch.office import BatchView
    from salitrap.providers.money.spend import Spend
    from salitrap.providers.pacing.trouble import Trouble

SHORT = {
    "Pass": "P",
    "Hard Fail": "HF",
    "CoT Hijacked": "CoT",
    "Sycophantic Compliance": "SC",
    "Refusal": "Ref",
    "Patch Compliance": "Patch",
}
"""Labels as the progress writes them."""

WAITING = "waiting for"


def counts_text(counts: Mapping[str, int]) -> str:
    """``12 certified, 3 unstable``; labels are abbreviated, zero counts are left out."""
    return ", ".join(
        f"{count} {SHORT.get(name, name).replace('_', ' ')}" for name, count in counts.items() if count
    )


def spend_text(spend: Spend) -> str:
    """Calls, and cost when every endpoint used has a price, with the dates of table prices."""
    from salitrap.providers.money.spend import dated

    return f"{calls_text(spend)}{'' if spend.usd is None else dated(spend.price_dates)}"


def calls_text(spend: Spend) -> str:
    """``512 calls, 0.42 USD``."""
    cost = "" if spend.usd is None else f", {spend.usd:.2f} USD"
    return f"{spend.calls} calls{cost}"


def trouble_text(trouble: Trouble) -> str:
    """``retrying 3 calls for 45 s, last: HTTP 502: out of memory (openai/NAME)``; empty when all is well."""
    if not trouble.retrying:
        return ""
    calls = "1 call" if trouble.retrying == 1 else f"{trouble.retrying} calls"
    return f"retrying {calls} for {trouble.seconds:.0f} s, last: {trouble.last}"


def under_way_text(trouble: Trouble) -> str:
    """``4 requests under way, 60 calls wait for rpm/tpm``; empty when there is neither."""
    sent = trouble.in_flight - trouble.waiting_for_quota
    told = f"{sent} {'request' if sent == 1 else 'requests'} under way" if sent > 0 else ""
    return ", ".join(part for part in (told, quota_text(trouble)) if part)


def quota_text(trouble: Trouble) -> str:
    """``60 calls wait for rpm/tpm``: for the limits a minute that the settings name; empty when none does."""
    waiting = trouble.waiting_for_quota
    if not waiting:
        return ""
    return f"{waiting} {'call waits' if waiting == 1 else 'calls wait'} for rpm/tpm"


def waiting_text(view: BatchView) -> str:
    """``waiting for 2 batches for 35 min: 120 of 400 requests done``; empty when there is none."""
    from salitrap.cli.plan_tables import duration

    queued = f"{view.queued:,} requests to be submitted" if view.queued else ""
    if not view.batches:
        return queued
    batches = f"{view.batches:,} batch{'' if view.batches == 1 else 'es'}"
    done = f"{view.done:,} of {view.requests:,} requests done"
    told = f"{WAITING} {batches} for {duration(view.seconds)}: {done}"
    return ", ".join(part for part in (told, queued, view.trouble) if part)

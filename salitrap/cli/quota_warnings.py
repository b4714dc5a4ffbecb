"""What is said of ``rpm`` and ``tpm`` that do not suit what is planned, before anything is paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from salitrap.cli.console import err

if TYPE_CHECKING:
    from salitrap.plan import Plan, RolePlan
    from salitrap.records import Role
    from salitrap.settings import EndpointSettings, Settings

NOT_WORTH_SAYING = 600.0
"""Seconds that limits may take beyond the plan's wall time without a word."""


def has_quotas(settings: Settings) -> bool:
    """True when an endpoint has a limit on requests or tokens a minute."""
    return any(_limits(endpoint) for pool in settings.roles.values() for endpoint in pool.endpoints)


def warn_of_quotas(settings: Settings, plan: Plan) -> None:
    """Say which limits no call fits, and which make the planned calls take longer than planned."""
    if has_quotas(settings):
        for line in (*too_small(settings, plan), *too_slow(settings, plan)):
            err().print(f"warning: {line}", soft_wrap=True)


def too_small(settings: Settings, plan: Plan) -> Iterator[str]:
    """A line for each role and endpoint whose ``tpm`` is less than one call may use."""
    for role, prompt in _prompts(plan).items():
        pool = settings.roles[role]
        for endpoint in dict.fromkeys(pool.endpoints):
            if endpoint.tpm is None or endpoint.batch or endpoint.tpm >= prompt + pool.max_tokens:
                continue
            yield (
                f"{role.value}: {endpoint.spec}: tpm {endpoint.tpm:,} is less than one call may use: about "
                f"{prompt:,} tokens of prompt and max_tokens {pool.max_tokens:,}; raise tpm to what the "
                "provider allows, or lower max_tokens"
            )


def too_slow(settings: Settings, plan: Plan) -> Iterator[str]:
    """A line for each endpoint whose limits alone take longer than the plan's wall time."""
    from salitrap.cli.plan_tables import duration
    from salitrap.providers.money.costing import cost_of

    planned = cost_of(plan, settings).seconds[1]
    for endpoint, rows in _rows(settings, plan).items():
        seconds, name, limit, amount = max(_minutes(endpoint, rows, settings))
        if seconds > planned + NOT_WORTH_SAYING:
            roles = ", ".join(dict.fromkeys(row.role.value for row in rows))
            yield (
                f"{roles}: {endpoint.spec}: at {name} {limit:,} the planned {amount} take "
                f"{duration(seconds)} or more; the wall time of the plan ({duration(planned)}) does not "
                "count the wait"
            )


def _limits(endpoint: EndpointSettings) -> bool:
    return not endpoint.batch and (endpoint.rpm is not None or endpoint.tpm is not None)


def _prompts(plan: Plan) -> dict[Role, int]:
    """Tokens of the longest prompt of each role that is asked."""
    prompts: dict[Role, int] = {}
    for row in plan.roles:
        if row.calls_high and not row.embeddings:
            prompts[row.role] = max(prompts.get(row.role, 0), round(row.input_high / row.calls_high))
    return prompts


def _rows(settings: Settings, plan: Plan) -> dict[EndpointSettings, list[RolePlan]]:
    """The rows of the plan that each endpoint with limits serves when nothing fails."""
    from salitrap.providers.money.pace import in_use

    rows: dict[EndpointSettings, list[RolePlan]] = {}
    for row in plan.roles:
        if row.embeddings:  # they go to an endpoint of their own
            continue
        for endpoint in filter(_limits, in_use(settings.roles[row.role])):
            rows.setdefault(endpoint, []).append(row)
    return rows


def _minutes(
    endpoint: EndpointSettings, rows: list[RolePlan], settings: Settings
) -> Iterator[tuple[float, str, int, str]]:
    """For each limit: seconds that the fewest planned calls take, its name and value, and what it counts."""
    from salitrap.providers.money.pace import in_use

    shares = [len(in_use(settings.roles[row.role])) for row in rows]
    calls = sum(row.calls_low / share for row, share in zip(rows, shares, strict=True))
    tokens = sum((row.input_low + row.output_low) / share for row, share in zip(rows, shares, strict=True))
    if endpoint.rpm is not None:
        yield calls * 60.0 / endpoint.rpm, "rpm", endpoint.rpm, f"{calls:,.0f} calls"
    if endpoint.tpm is not None:
        yield tokens * 60.0 / endpoint.tpm, "tpm", endpoint.tpm, f"{tokens:,.0f} tokens"

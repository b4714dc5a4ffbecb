"""What a plan costs in USD and wall time, with the prices and limits of the settings. No network."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from salitrap.plan import Plan, RolePlan
from salitrap.providers.money.pace import Basis, calls_at_once, seconds_a_call
from salitrap.providers.money.prices import charged_price, embeddings_price, known_price, unpriced_specs
from salitrap.records.base import Record
from salitrap.settings.endpoints import Policy, RoleSettings
from salitrap.settings.model import Budget, Settings

Span = tuple[float, float]


class RoleCost(Record):
    """One row of a plan with its cost.

    ``usd`` is None when an endpoint in ``unpriced`` may serve a call. ``seconds`` is wall time with
    ``at_once`` calls of ``latency`` seconds under way; ``basis`` says where the latency comes from.
    With batches it is one that takes as long as it may.
    """

    plan: RolePlan
    usd: Span | None
    unpriced: tuple[str, ...]
    latency: float
    basis: Basis
    at_once: int
    seconds: Span


class CostPlan(Record):
    """A plan with its cost; ``price_dates`` are those of the table's prices in it, oldest first."""

    rows: tuple[RoleCost, ...]
    price_dates: tuple[str, ...] = ()

    @property
    def plan(self) -> Plan:
        """Calls and tokens."""
        return Plan(roles=tuple(row.plan for row in self.rows))

    @property
    def usd(self) -> Span | None:
        """USD from low to high, None when a price is unknown."""
        return None if self.unpriced else self.usd_known

    @property
    def usd_known(self) -> Span:
        """USD of the rows whose price is known."""
        known = [row.usd for row in self.rows if row.usd is not None]
        return sum(span[0] for span in known), sum(span[1] for span in known)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Specs in use without a known price, sorted."""
        return tuple(sorted({spec for row in self.rows for spec in row.unpriced}))

    @property
    def seconds(self) -> Span:
        """Wall time with the rows one after the other."""
        return sum(row.seconds[0] for row in self.rows), sum(row.seconds[1] for row in self.rows)


class BudgetView(Record):
    """One limit beside the plan; ``low`` and ``high`` are None when the cost is unknown."""

    unit: str
    limit: float
    low: float | None
    high: float | None


def cost_of(plan: Plan, settings: Settings, latency: float | None = None) -> CostPlan:
    """Cost of ``plan``; ``latency`` (seconds) stands for every role's assumed one.

    Raises:
        ConfigError: a spec is not understood.
    """
    rows = tuple(_row(role, settings, latency) for role in plan.roles)
    pools = [_served_by(row.plan, settings).roles[row.plan.role] for row in rows if row.usd is not None]
    known = [known_price(endpoint) for pool in pools for endpoint in pool.endpoints]
    dates = {price.dated for price in known if price is not None and price.dated is not None}
    return CostPlan(rows=rows, price_dates=tuple(sorted(dates)))


def budget_views(cost: CostPlan, budget: Budget) -> tuple[BudgetView, ...]:
    """Every limit of ``budget`` beside the plan."""
    plan, usd = cost.plan, cost.usd or (None, None)
    views = (
        ("calls", budget.calls, plan.calls_low, plan.calls_high),
        ("tokens", budget.tokens, plan.tokens_low, plan.tokens_high),
        ("USD", budget.usd, *usd),
    )
    return tuple(
        BudgetView(unit=unit, limit=limit, low=low, high=high)
        for unit, limit, low, high in views
        if limit is not None
    )


def _row(plan: RolePlan, settings: Settings, latency: float | None) -> RoleCost:
    settings = _served_by(plan, settings)
    pool = settings.roles[plan.role]
    seconds, basis = seconds_a_call(plan, settings)
    if latency is not None and basis is not Basis.BATCH:
        seconds, basis = latency, Basis.GIVEN
    slots = calls_at_once(pool) if basis is not Basis.BATCH else max(1, plan.calls_high)
    at_once = slots if plan.at_once is None else max(1, min(slots, plan.at_once))
    return RoleCost(
        plan=plan,
        usd=_usd(plan, pool),
        unpriced=unpriced_specs(pool.endpoints),
        latency=seconds,
        basis=basis,
        at_once=at_once,
        seconds=_wall_time(plan, seconds, at_once) if basis is not Basis.BATCH else (0.0, seconds),
    )


def _served_by(plan: RolePlan, settings: Settings) -> Settings:
    """Settings in which the embeddings endpoint is the pool of the role that embeddings are booked under."""
    meaning = settings.scale.similarity.meaning
    if not plan.embeddings or meaning is None:
        return settings
    price = embeddings_price(meaning.endpoint)
    asked = None if price is None else price.input
    endpoint = meaning.endpoint.model_copy(
        update={"price_input": asked, "price_output": None if price is None else 0.0}
    )
    pool = RoleSettings(endpoints=(endpoint,))
    return settings.model_copy(update={"roles": {**settings.roles, plan.role: pool}})


def _wall_time(plan: RolePlan, seconds: float, at_once: int) -> Span:
    return ceil(plan.calls_low / at_once) * seconds, ceil(plan.calls_high / at_once) * seconds


def _usd(plan: RolePlan, pool: RoleSettings) -> Span | None:
    """Round robin shares the calls out evenly; with failover the cheapest or the dearest may serve all."""
    known = [charged_price(endpoint) for endpoint in pool.endpoints]
    prices = [price for price in known if price is not None]
    if len(prices) < len(known):
        return None
    low = [price.cost(plan.input_low, plan.output_low) for price in prices]
    high = [price.cost(plan.input_high, plan.output_high) for price in prices]
    if pool.policy is Policy.ROUND_ROBIN:
        return _mean(low), _mean(high)
    return min(low), max(high)


def _mean(figures: Sequence[float]) -> float:
    return sum(figures) / len(figures)

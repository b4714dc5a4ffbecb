"""A plan on the screen: calls and tokens, time and cost, what is unknown, and the budget beside it."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import table
from salitrap.cli.tables import models_named

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from salitrap.providers.money.costing import BudgetView, CostPlan, RoleCost, Span
    from salitrap.settings import Settings

UNKNOWN = "unknown"
SMALLEST_SHOWN = 0.001
_THOUSANDS = 10_000
_STEPS = ((1e9, "B"), (1e6, "M"), (1e3, "k"))
_CLOCK = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))


def print_plan(console: Console, cost: CostPlan, settings: Settings) -> None:
    """Print both tables, the sums, and what they rest on."""
    console.print(calls_table(cost))
    console.print(cost_table(cost))
    for line in (
        cost_line(cost),
        *budget_lines(cost, settings),
        *_NOTES,
        *local_lines(cost),
        *batch_lines(cost),
    ):
        console.print(line, soft_wrap=True)


def plan_record(cost: CostPlan, settings: Settings) -> dict[str, Any]:
    """The plan as JSON: every range is a pair, low then high; unknown cost is null."""
    from salitrap.providers.money.costing import budget_views

    plan = cost.plan
    return {
        "roles": [_row_record(row) for row in cost.rows],
        "calls": [plan.calls_low, plan.calls_high],
        "tokens": [plan.tokens_low, plan.tokens_high],
        "usd": cost.usd,
        "usd_known": cost.usd_known,
        "unpriced": cost.unpriced,
        "price_dates": cost.price_dates,
        "seconds": cost.seconds,
        "budget": [view.model_dump(mode="json") for view in budget_views(cost, settings.budget)],
    }


def calls_table(cost: CostPlan) -> Table:
    """Calls and tokens by stage and role."""
    rows: list[list[object]] = [
        [
            row.plan.stage.value,
            row.plan.name,
            _span((row.plan.calls_low, row.plan.calls_high), _whole),
            _span((row.plan.input_low, row.plan.input_high), compact),
            _span((row.plan.output_low, row.plan.output_high), compact),
        ]
        for row in cost.rows
    ]
    plan = cost.plan
    rows.append(
        [
            "all",
            "",
            _span((plan.calls_low, plan.calls_high), _whole),
            _span((sum(r.input_low for r in plan.roles), sum(r.input_high for r in plan.roles)), compact),
            _span((sum(r.output_low for r in plan.roles), sum(r.output_high for r in plan.roles)), compact),
        ]
    )
    columns = [("stage", False), ("role", False), ("calls", True), ("tokens in", True), ("tokens out", True)]
    return table("Plan: calls and tokens", columns, rows)


def cost_table(cost: CostPlan) -> Table:
    """Wall time and USD by stage and role, with the seconds and the calls at once that were assumed."""
    rows: list[list[object]] = [
        [
            row.plan.stage.value,
            row.plan.name,
            "-" if _in_batches(row) else f"{row.latency:g}",
            "all" if _in_batches(row) else row.at_once,
            _wall_time(row.seconds, _in_batches(row)),
            UNKNOWN if row.usd is None else _span(row.usd, money),
        ]
        for row in cost.rows
    ]
    usd = UNKNOWN if cost.usd is None else _span(cost.usd, money)
    wall_time = _wall_time(cost.seconds, any(map(_in_batches, cost.rows)))
    rows.append(["all", "", "", "", wall_time, usd])
    columns = [
        ("stage", False),
        ("role", False),
        ("seconds\na call", True),
        ("calls\nat once", True),
        ("wall time", True),
        ("USD", True),
    ]
    return table("Plan: time and cost", columns, rows)


def cost_line(cost: CostPlan) -> str:
    """The cost in one sentence; what is not known is named."""
    from salitrap.providers.money.spend import dated

    if cost.usd == (0.0, 0.0):
        return "Cost: none, every model is free."
    amount = f"{_span(cost.usd_known, money)} USD{dated(cost.price_dates)}"
    if not cost.unpriced:
        return f"Cost: {amount}."
    told = f"Cost unknown: no price for {models_named(cost.unpriced)}; give price_input and price_output."
    return told if cost.usd_known[1] == 0.0 else f"{told} The rest: {amount}."


def budget_lines(cost: CostPlan, settings: Settings) -> list[str]:
    """Where each limit of the budget stands in the plan."""
    from salitrap.providers.money.costing import budget_views

    return [_budget_line(view) for view in budget_views(cost, settings.budget)]


def local_lines(cost: CostPlan) -> list[str]:
    """What the seconds of models in this process rest on, empty when there are none."""
    from salitrap.providers.money.pace import LOCAL_READING, LOCAL_WRITING, Basis

    roles = dict.fromkeys(row.plan.name for row in cost.rows if row.basis is Basis.LOCAL)
    if not roles:
        return []
    return [
        f"Local models ({', '.join(roles)}): assumed are {LOCAL_READING:g} tokens a second read and "
        f"{LOCAL_WRITING:g} written in each slot, every reply max_tokens long. Roles that name the same file "
        "share its slots."
    ]


def batch_lines(cost: CostPlan) -> list[str]:
    """What time and price of batches rest on, empty when there are none."""
    roles = dict.fromkeys(row.plan.name for row in cost.rows if _in_batches(row))
    if not roles:
        return []
    return [
        f"Batches ({', '.join(roles)}): half price, and up to 24 h for each batch. An answer is judged in a "
        "batch after its own; requests that have to be asked again are a further batch."
    ]


def compact(number: float) -> str:
    """``9,999``, ``12.3k``, ``4.5M``."""
    if number < _THOUSANDS:
        return f"{number:,.0f}"
    size, unit = next((size, unit) for size, unit in _STEPS if number >= size)
    return f"{number / size:,.1f}{unit}"


def money(usd: float) -> str:
    """Two decimals, three for less than a dollar."""
    return f"{usd:,.2f}" if usd >= 1.0 else f"{usd:.3f}" if usd else "0"


def telling_money(usd: float) -> str:
    """As ``money``, but with two digits that count where that would show none."""
    return f"{usd:.{1 - floor(log10(usd))}f}" if 0.0 < usd < SMALLEST_SHOWN else money(usd)


def duration(seconds: float) -> str:
    """``< 1 s``, ``45 s``, ``12.5 min``, ``3.2 h``, ``2.0 d``."""
    for size, unit in _CLOCK:
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return "< 1 s" if 0.0 < seconds < 1.0 else f"{seconds:.0f} s"


_NOTES = (
    "Few calls: every cell reaches its target at once and every search ends early. Many: every budget of "
    "the search is used up. Repeated attempts and re-asks come on top.",
    "Tokens are estimated from the characters of instructions and seeds (4 a token, Chinese 1.5). A model "
    "that reasons writes more, up to max_tokens a call.",
    "Wall time is calls x seconds a call / calls at once, one row after the other. The seconds are assumed; "
    "--latency sets them for all roles.",
)


def _budget_line(view: BudgetView) -> str:
    limit = f"The budget of {_amount(view.limit, view.unit)}"
    if view.high is None or view.low is None:
        return f"{limit} cannot be compared: the cost is unknown."
    if view.limit >= view.high:
        return f"{limit} covers the high estimate ({_amount(view.high, view.unit)})."
    share = 100.0 * view.limit / view.high
    told = f"{limit} is reached at about {share:.0f} % of the high estimate ({_amount(view.high, view.unit)})"
    if view.limit < view.low:
        return f"{told} and lies below the low one ({_amount(view.low, view.unit)}): expect the run to stop."
    return f"{told}."


def _amount(number: float, unit: str) -> str:
    return f"{telling_money(number) if unit == 'USD' else _whole(number)} {unit}"


def _whole(number: float) -> str:
    return f"{number:,.0f}"


def _span(span: Span, form: Any) -> str:
    low, high = form(span[0]), form(span[1])
    return low if low == high else f"{low} to {high}"


def _in_batches(row: RoleCost) -> bool:
    return row.basis.value == "batch"


def _wall_time(seconds: Span, batches: bool) -> str:
    return f"up to {duration(seconds[1])}" if batches else _span(seconds, duration)


def _row_record(row: RoleCost) -> dict[str, Any]:
    plan = row.plan
    return {
        "stage": plan.stage.value,
        "role": plan.name,
        "calls": [plan.calls_low, plan.calls_high],
        "input_tokens": [plan.input_low, plan.input_high],
        "output_tokens": [plan.output_low, plan.output_high],
        "usd": row.usd,
        "unpriced": row.unpriced,
        "seconds": row.seconds,
        "latency": row.latency,
        "latency_basis": row.basis.value,
        "at_once": row.at_once,
    }

"""The budget holds whatever servers do: random pauses, failures, re-asks and time-outs, 64 calls at once.

What counts is what may be billed: a reply of any kind, and a request that was given up unanswered. A
refusal (429, 5xx) counts nothing, so the server may see more requests than the budget has calls.
"""

from __future__ import annotations

import asyncio
import random

import pytest

from salitrap.errors import BudgetReached, CallFailed
from salitrap.providers.access import ChatMessage
from salitrap.providers.journal.keys import messages_json
from salitrap.providers.money.budget import estimate_tokens
from salitrap.providers.open import open_access, read_spend
from tests.providers.helpers import GOOD, endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, claude, serving

ASKED = 64
LONGEST = 40
PRICES = {"price_input": 0.3, "price_output": 1.7}
KINDS = ("good",) * 4 + ("prose", "empty", "cut") * 2 + ("refused",) * 5 + ("late",)
REFUSED = ((429, {}), (500, {}), (529, {}), (503, {}, {"Retry-After": "1"}))


def tokens_of(body):
    """What a tokeniser may count at most: all that is reserved for the prompt."""
    system = [ChatMessage("system", body["system"])] if "system" in body else []
    told = [ChatMessage(message["role"], message["content"]) for message in body["messages"]]
    return estimate_tokens(messages_json([*system, *told]))


class Bank:
    """A server that does anything and bills the most it may for it."""

    def __init__(self, seed, form):
        self.draw, self.form = random.Random(seed), form
        self.calls = self.tokens = 0
        self.usd = 0.0

    async def __call__(self, body, number):
        kind = self.draw.choice(KINDS)
        if kind == "refused":
            await asyncio.sleep(self.draw.uniform(0, 0.01))
            return self.draw.choice(REFUSED)
        asked = tokens_of(body)
        self.calls += 1
        self.tokens += asked + LONGEST
        self.usd += (asked * PRICES["price_input"] + LONGEST * PRICES["price_output"]) / 1e6
        await asyncio.sleep(30 if kind == "late" else self.draw.uniform(0, 0.02))
        return self.reply(kind, asked)

    def reply(self, kind, asked):
        text = {"good": GOOD, "prose": "Well, walk.", "empty": "", "cut": '{"answer'}.get(kind, "")
        finish = {"cut": ("length", "max_tokens")}.get(kind, ("stop", "end_turn"))
        if self.form == "openai":
            usage = {"prompt_tokens": asked, "completion_tokens": LONGEST}
            return chat(text, finish[0], usage=usage)
        return {**claude(text, finish[1]), "usage": {"input_tokens": asked, "output_tokens": LONGEST}}


def chosen_for(bank, server, budget):
    spec = f"openai/m@{server.url}" if bank.form == "openai" else f"anthropic/m@{server.root}"
    role = {"max_tokens": LONGEST, "attempt_timeout": 0.5}
    return settings(endpoint(spec, **PRICES), budget=budget, role=role, limits={"attempts": 6})


async def spend_it(tmp_path, seed, form, budget):
    """Two processes' worth of calls, 64 at once each, against one budget; the bank and the ledger."""
    bank = Bank(seed, form)
    stopped = 0
    async with serving(bank) as server:
        chosen = chosen_for(bank, server, budget)
        for part in range(2):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                asks = [probe(access, f"{part} q{n}") for n in range(ASKED // 2)]
                answers = [access.answer(f"{part} q{n}") for n in range(ASKED // 2)]
                ends = await asyncio.gather(*asks, *answers, return_exceptions=True)
            stops = [end for end in ends if isinstance(end, Exception) and not isinstance(end, CallFailed)]
            assert all(isinstance(stop, BudgetReached) for stop in stops), stops
            stopped += len(stops)
    return bank, read_spend(journal_at(tmp_path), chosen), stopped


@pytest.mark.parametrize(("seed", "calls"), enumerate((1, 7, 40, 64, 10_000)))
async def test_billed_requests_never_exceed_the_budget_of_calls(tmp_path, seed, calls):
    bank, spend, stopped = await spend_it(tmp_path, seed, ("openai", "anthropic")[seed % 2], {"calls": calls})
    assert bank.calls <= spend.calls <= calls, "a request given up may never have arrived"
    assert (spend.calls == calls) == bool(stopped), "it stops at the budget, and not before"
    assert spend.attempts >= spend.calls


@pytest.mark.parametrize(("seed", "tokens"), enumerate((150, 3_000, 6_000)))
async def test_tokens_charged_never_exceed_the_budget_with_the_longest_replies(tmp_path, seed, tokens):
    form = ("openai", "anthropic")[seed % 2]
    bank, spend, stopped = await spend_it(tmp_path, seed, form, {"tokens": tokens})
    assert bank.tokens <= tokens
    assert stopped
    assert spend.input_tokens + spend.output_tokens <= bank.tokens, "of a request given up none are known"


@pytest.mark.parametrize(("seed", "usd"), enumerate((0.0005, 0.004)))
async def test_usd_charged_never_exceed_the_budget_with_the_longest_replies(tmp_path, seed, usd):
    form = ("openai", "anthropic")[seed % 2]
    bank, spend, stopped = await spend_it(tmp_path, seed, form, {"usd": usd})
    assert bank.usd <= spend.usd + 1e-9 <= usd + 2e-9
    assert stopped


async def test_all_three_limits_at_once(tmp_path):
    budget = {"calls": 30, "tokens": 4_000, "usd": 0.004}
    bank, spend, stopped = await spend_it(tmp_path, 99, "openai", budget)
    assert bank.calls <= 30 and bank.tokens <= 4_000 and bank.usd <= 0.004 + 1e-9
    assert stopped and bank.calls <= spend.calls <= 30

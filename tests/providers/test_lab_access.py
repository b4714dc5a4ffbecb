"""The lab behind ``lab/NAME`` goes through the same path as any provider."""

from __future__ import annotations

from functools import partial

from multidict import CIMultiDict

from salitrap.providers.open import open_access
from salitrap.records import Outcome
from tests.providers.helpers import journal_at, pacing, settings
from tests.providers.servers import chat, serving

QUESTION = "The sieve holds 4 litres and I pour 40 cups into it. How many trips do I need?"


async def test_lab_is_started_marked_and_free_and_its_port_is_in_no_key(tmp_path):
    chosen = settings("lab/solver-a")
    runs = []
    for _ in range(2):
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing(), environment={}) as access:
            runs.append([await access.answer(QUESTION, repeat=repeat) for repeat in range(3)])
            spend = access.spend()
    assert runs[0] == runs[1]
    assert (spend.attempts, spend.reused, spend.usd, spend.simulated) == (3, 3, 0.0, True)
    assert all(answer.provenance.simulated for answer in runs[0])


async def test_another_lab_seed_is_another_provider(tmp_path):
    for seed in (0, 1):
        chosen = settings("lab/solver-a", lab={"seed": seed})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing(), environment={}) as access:
            await access.answer(QUESTION)
            assert access.spend().attempts == seed + 1


async def test_every_lab_fault_ends_in_its_outcome(tmp_path):
    outcomes = {
        "http_500": Outcome.API_ERROR,
        "http_429": Outcome.API_ERROR,
        "empty": Outcome.EMPTY,
        "truncated": Outcome.TRUNCATED,
        "filtered": Outcome.FILTERED,
        "stall": Outcome.TIMEOUT,
    }
    for fault, outcome in outcomes.items():
        chosen = settings(
            "lab/solver-a",
            lab={"faults": {fault: 1.0}},
            limits={"attempts": 2},
            role={"attempt_timeout": 0.5},
        )
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing(), environment={}) as access:
            assert (await access.answer(QUESTION)).outcome is outcome, fault


async def test_lab_is_told_how_often_a_call_was_tried_over_all_processes_and_nobody_else_is(tmp_path):
    """Faults are drawn by request and attempt, so a resumed run met the same ones again for ever."""
    async with serving(lambda body, number: (500, {}) if number < 3 else chat("ok")) as server:
        access_of = partial(open_access, journal_path=journal_at(tmp_path), pacing=pacing(), environment={})
        async with access_of(settings("lab/solver-a", limits={"attempts": 2})) as access:
            as_lab(access, server.root)
            assert (await access.answer(QUESTION)).outcome is Outcome.API_ERROR
        async with access_of(settings("lab/solver-a")) as access:
            as_lab(access, server.root)
            assert (await access.answer(QUESTION)).outcome is Outcome.OK
        async with access_of(settings(f"openai/m@{server.url}")) as access:
            await access.answer(QUESTION)
        told = [CIMultiDict(seen.headers).get("X-Attempt") for seen in server.seen]
    assert told == ["1", "2", "3", "4", None]


def as_lab(access, root):
    """Send what is meant for the lab to ``root``."""
    for endpoint in access._pools["solver"].endpoints:
        endpoint.wire._client.base_url = f"{root}/v1"

"""The lab behind ``lab/NAME`` goes through the same path as any provider."""

from __future__ import annotations

from salitrap.providers.open import open_access
from salitrap.records import Outcome
from tests.providers.helpers import journal_at, pacing, settings

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

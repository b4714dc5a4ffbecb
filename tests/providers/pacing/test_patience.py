"""An endpoint that has never served anything is given up after two minutes, not after fifteen."""

from __future__ import annotations

import pytest

from salitrap.errors import EndpointUnavailable
from salitrap.providers.open import open_access
from salitrap.providers.pacing.health import FIRST_PATIENCE, FIRST_STEP, Health
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure
from salitrap.records import Outcome
from tests.providers.helpers import journal_at, settings
from tests.providers.servers import chat, serving

BROKEN = (500, {"error": {"message": "CUDA out of memory"}})


class Clock:
    """Time that passes by sleeping alone."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def pacing(self) -> Pacing:
        return Pacing(sleep=self.sleep, clock=lambda: self.now, draw=lambda: 0.9)


@pytest.mark.parametrize("said", [BROKEN, (503, "CUDA out of memory"), (504, "CUDA out of memory")])
async def test_endpoint_that_never_served_stops_the_run_after_its_patience(tmp_path, said):
    """It kept the run silent for the whole deadline of 15 minutes; of a plain body it said nothing."""
    clock = Clock()
    async with (
        serving(lambda body, number: said) as server,
        open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=clock.pacing()
        ) as access,
    ):
        with pytest.raises(
            EndpointUnavailable, match=rf"HTTP {said[0]}\): CUDA out of memory; .*none was served"
        ):
            await access.answer("How?")
    assert FIRST_PATIENCE <= clock.now <= FIRST_PATIENCE + FIRST_STEP


async def test_endpoint_that_has_served_keeps_its_40_attempts_and_the_deadline(tmp_path):
    clock = Clock()
    async with serving(lambda body, number: BROKEN if number else chat("ok")) as server:
        chosen = settings(f"openai/m@{server.url}", limits={"deadline": 3000.0})
        async with open_access(chosen, journal_at(tmp_path), pacing=clock.pacing()) as access:
            await access.answer("How?")
            failed = await access.answer("How now?")
    assert (failed.outcome, "40 attempts" in failed.detail) == (Outcome.API_ERROR, True)
    assert clock.now > 10 * FIRST_PATIENCE


async def test_server_that_wakes_up_within_the_patience_is_used(tmp_path):
    clock = Clock()
    async with (
        serving(lambda body, number: chat("ok") if clock.now > 100.0 else (503, "loading")) as server,
        open_access(
            settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=clock.pacing()
        ) as access,
    ):
        assert (await access.answer("How?")).outcome is Outcome.OK


def hopeless(kind: Kind, seconds: float, failures: int = 5, served: bool = False) -> bool:
    """Whether ``failures`` failures, the last of them ``seconds`` after the first, are enough."""
    health, failure = Health(), Failure(kind, "")
    if served:
        health.note_success()
    for number in range(failures):
        health.note_failure(failure, 50.0 + seconds * number / (failures - 1))
    return health.hopeless(failure, 50.0 + seconds, 900.0)


@pytest.mark.parametrize("kind", [Kind.SERVER, Kind.TIMEOUT])
def test_patience_is_for_failures_that_may_pass(kind):
    assert hopeless(kind, FIRST_PATIENCE)
    assert not hopeless(kind, FIRST_PATIENCE - 1.0)
    assert not hopeless(kind, FIRST_PATIENCE, failures=4), "too few to judge by"
    assert not hopeless(kind, 899.0, served=True)
    assert hopeless(kind, 900.0, served=True)


def test_slow_pace_gets_all_of_the_patience_and_no_more():
    """A quota that is used up for the day kept a run waiting, call after call, as long as it had calls."""
    assert not hopeless(Kind.RATE_LIMIT, 899.0)
    assert hopeless(Kind.RATE_LIMIT, 900.0)
    assert not hopeless(Kind.RATE_LIMIT, 10_000.0, failures=4), "too few to judge by"

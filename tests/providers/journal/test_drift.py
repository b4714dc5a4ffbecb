"""A provider that changes the model behind a name, in mid-run or between two processes."""

from __future__ import annotations

import logging

from salitrap.providers.journal.drift import told
from salitrap.providers.open import open_access, read_spend
from tests.providers.helpers import journal_at, pacing, settings
from tests.providers.servers import chat, serving


async def test_a_change_of_the_returned_id_is_reported_once_also_between_two_processes(tmp_path, caplog):
    """Within one process it was; a resumed run began without memory."""
    caplog.set_level(logging.WARNING)
    served = "m-2026-01"

    def say(body, number):
        return chat("ok") | {"model": served}

    async with serving(say) as server:
        chosen = settings(f"openai/m@{server.url}")
        for question in ("One?", "Two?", "Three?"):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                await access.answer(question)
                await access.answer(f"{question} Again?")
            served = "m-2026-06"
    warnings = [record.getMessage() for record in caplog.records if "answered as" in record.getMessage()]
    assert len(warnings) == 1 and "m-2026-06, before as m-2026-01" in warnings[0]
    drifts = read_spend(journal_at(tmp_path), chosen).drifts
    assert drifts == {f"openai/m@{server.url}": {"m-2026-01": 2, "m-2026-06": 4}}
    line = told(*next(iter(drifts.items())))
    assert "m-2026-01 (2 replies), then m-2026-06 (4 replies)" in line


async def test_two_endpoints_with_one_name_are_two_models(tmp_path):
    async with (
        serving(lambda body, number: chat("ok") | {"model": "a"}) as first,
        serving(lambda body, number: chat("ok") | {"model": "b"}) as second,
    ):
        chosen = settings(f"openai/m@{first.url}", f"openai/m@{second.url}", role={"policy": "round_robin"})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            for slot in (0, 1):
                await access.answer("How?", slot=slot)
    assert read_spend(journal_at(tmp_path), chosen).drifts == {}


async def test_two_ids_by_turns_are_reported_once(tmp_path, caplog):
    """A name behind which two snapshots answer gave a warning for nearly every call."""
    async with serving(lambda body, number: chat("ok") | {"model": "ab"[number % 2]}) as server:
        chosen = settings(f"openai/m@{server.url}")
        for start in (0, 50):
            async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
                for number in range(start, start + 50):
                    await access.answer(f"{number}?")
    assert len([one for one in caplog.records if "answered as" in one.getMessage()]) == 1

"""A run whose models are asked in batches comes to the same items as one that asks one by one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from curation.funnel import Funnel
from curation.registry.queries import items
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence, StopSwitch
from salitrap.lab.server import LabOptions, build_app
from salitrap.providers.batch.pace import BatchPace
from salitrap.providers.open import open_access
from salitrap.records import Role
from salitrap.settings import EndpointSettings, RoleSettings, Settings
from seeds import load_domains
from tests.providers.batch.servers import BatchServer, batching

FAST = BatchPace(settle=0.02, first_poll=0.01, longest_poll=0.02, grace=0.0)


@asynccontextmanager
async def lab_in_batches() -> AsyncIterator[BatchServer]:
    """The lab behind a batch interface."""
    runner = web.AppRunner(build_app(LabOptions()), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1/chat/completions"

    async def forward(body: dict[str, Any]) -> Any:
        async with session.post(url, json=body) as response:
            return response.status, await response.json()

    try:
        async with aiohttp.ClientSession() as session, batching(forward) as server:
            yield server
    finally:
        await runner.cleanup()


def settings(server: BatchServer, batch: bool) -> Settings:
    def pool(role: Role) -> RoleSettings:
        name = "solver-a" if role is Role.SOLVER else role.value
        spec = f"openai/{name}@{server.url}"
        end = EndpointSettings(spec=spec, sampling_seed=True, batch=batch and role is Role.SOLVER)
        return RoleSettings(endpoints=(end,), max_tokens=4000)

    return Settings(roles={role: pool(role) for role in Role}, targets={"default": {"en": 1, "zh": 1}})


async def made(given: Settings, directory: Path) -> tuple[Funnel, list[str]]:
    with open_run(directory, given, load_domains(given.domains)) as run:
        async with open_access(given, run.layout.journal, batches=FAST) as access:
            await run_stages(run, access, STAGES, Silence(), StopSwitch(access.stop))
        return run.funnel, sorted(item.item_id for item in items(run.registry))


async def test_the_items_are_the_same(tmp_path: Path) -> None:
    async with lab_in_batches() as server:
        alone = await made(settings(server, False), tmp_path / "alone")
        assert not server.batches
        batched = await made(settings(server, True), tmp_path / "batched")
    assert server.batches
    assert alone[1], "there are items to compare"
    assert batched == alone

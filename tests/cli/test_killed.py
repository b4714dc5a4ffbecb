"""SIGKILL at any moment: the resumed dataset is the undisturbed one, and only calls in flight repeat."""

from __future__ import annotations

import asyncio
import random
import subprocess
from pathlib import Path

import pytest
from aiohttp import web

from salitrap.lab.server import LabOptions, build_app
from tests.cli.helpers import command, config, environment, salitrap, tree


class CountingLab:
    """The lab's own application, with a count of requests and of those in flight."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.requests = self.in_flight = self.peak = 0

    async def __aenter__(self) -> CountingLab:
        app = build_app(LabOptions(0, self.latency, {}))
        app.middlewares.append(self._counted)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    @web.middleware
    async def _counted(self, request: web.Request, handler: object) -> web.StreamResponse:
        self.requests += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await handler(request)  # type: ignore[operator]
        finally:
            self.in_flight -= 1


async def _finish(path: Path, run: Path) -> None:
    """Run to the end: once more when some candidate could not be judged, which then stays so."""
    done = await asyncio.to_thread(salitrap, "run", "-c", path, "--yes", "--run", run)
    if done.returncode == 3 and "could not be judged" in done.stderr:
        done = await asyncio.to_thread(salitrap, "run", "-c", path, "--yes", "--run", run)
    assert done.returncode == 0, done.stderr
    built = await asyncio.to_thread(
        salitrap, "build", run, "--out", run / "dataset", "--version", "1.0.0", "--license", "mit"
    )
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize(
    ("rounds", "seeds", "latency"), [(4, 1, 0.02), pytest.param(100, 8, 0.2, marks=pytest.mark.long)]
)
async def test_a_killed_run_resumes_to_the_same_dataset(
    tmp_path: Path, rounds: int, seeds: int, latency: float
) -> None:
    draw, cut_short = random.Random(rounds), 0
    async with CountingLab(latency) as lab:
        path = config(
            tmp_path / "c.yaml",
            spec=f"openai/NAME@{lab.url}",
            limits="{seeds_in_flight: 8}",
            dialogues="{patterns: [state_change, pushback], per_cell: 1, turns: 3}",
            targets=f"{{default: {{en: {seeds}, zh: {seeds}}}}}",
        )
        await _finish(path, tmp_path / "whole")
        undisturbed, in_flight, lab.requests = lab.requests, lab.peak, 0
        for _ in range(rounds):
            process = subprocess.Popen(
                command("run", "-c", path, "--yes", "--run", tmp_path / "killed"),
                env=environment(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            await asyncio.sleep(draw.uniform(1.2, 2.6))
            cut_short += process.poll() is None
            process.kill()
            await asyncio.to_thread(process.wait)
        await _finish(path, tmp_path / "killed")
        assert tree(tmp_path / "killed" / "dataset") == tree(tmp_path / "whole" / "dataset")
        assert lab.requests - undisturbed <= rounds * in_flight
        assert cut_short >= rounds / 2, "the run was over before most of the kills"

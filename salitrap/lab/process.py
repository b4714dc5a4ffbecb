"""Run the lab as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import sysconfig
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from salitrap.errors import SalitrapError
from salitrap.settings.model import LabSettings

START_SECONDS = 30.0
STOP_SECONDS = 5.0


@asynccontextmanager
async def lab_process(settings: LabSettings) -> AsyncIterator[str]:
    """Start a lab and yield its base URL, ``http://127.0.0.1:PORT/v1``; stop it on exit.

    The process ends with its parent, since it watches its standard input.

    Raises:
        SalitrapError: it did not start in time, or died before it was ready.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "salitrap.lab",
        *lab_arguments(settings),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(),
        # Ctrl-C is for the parent alone: it still has replies to save.
        start_new_session=True,
    )
    try:
        port = await _port(process)
        # What the lab still says on stderr is read along, so that it never blocks on a full pipe.
        drain = asyncio.create_task(_drain(process))
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            await _stop(process)
            await drain
    finally:
        await _stop(process)


def lab_arguments(settings: LabSettings) -> list[str]:
    """Command line of ``python -m salitrap.lab`` for these settings."""
    faults = [f"--fault={name}={share!r}" for name, share in sorted(settings.faults.items())]
    gold = [f"--gold={settings.gold}"] if settings.gold is not None else []
    return ["--port=0", f"--seed={settings.seed}", f"--latency={settings.latency!r}", *faults, *gold]


def _environment() -> dict[str, str]:
    """The environment, in which a checkout that is not installed can be imported too."""
    home = str(Path(__file__).resolve().parents[2])
    if home == sysconfig.get_path("purelib"):
        return dict(os.environ)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


async def _port(process: asyncio.subprocess.Process) -> int:
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
    except TimeoutError as error:
        raise SalitrapError(
            f"the lab was not ready within {START_SECONDS:g} s; start it by hand to see why"
        ) from error
    try:
        return int(json.loads(line)["port"])
    except (ValueError, KeyError, TypeError) as error:
        raise SalitrapError(f"the lab did not start: {await _said(process)}") from error


async def _said(process: asyncio.subprocess.Process) -> str:
    """The last lines of stderr and the exit code of a lab that failed."""
    _, errors = await process.communicate()
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return f"{' / '.join(lines[-3:]) or 'no message'} (exit code {process.returncode})"


async def _drain(process: asyncio.subprocess.Process) -> None:
    assert process.stderr is not None
    while await process.stderr.read(65536):
        pass


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Close its input, and kill it when that does not end it in time."""
    if process.returncode is not None:
        return
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()

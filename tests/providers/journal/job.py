"""A job of many calls, for tests that kill it.

``python -m tests.providers.journal.job`` imports everything once and forks a job for each line on its
standard input, so that a job starts at once.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from salitrap.providers.open import open_access
from tests.providers.helpers import endpoint, probe, settings
from tests.providers.journal.job_server import CALLS, append, is_structured

IN_FLIGHT = 32


async def call(access: Any, number: int) -> dict[str, Any]:
    if is_structured(number):
        asked = await probe(access, f"q{number}")
        return {**asked.fields, "key": asked.provenance.call_key}
    answered = await access.answer(f"q{number}")
    return {"text": answered.text, "outcome": answered.outcome, "key": answered.provenance.call_key}


async def job(url: str, folder: Path) -> None:
    """Make all calls; each is noted in ``done`` once access has given its reply, all in ``results``."""
    chosen = settings(endpoint(f"openai/m@{url}", in_flight=IN_FLIGHT))

    async def one(access: Any, number: int) -> dict[str, Any]:
        result = await call(access, number)
        append(folder / "done", str(number))
        return result

    async with open_access(chosen, folder / "journal.sqlite") as access:
        results = await asyncio.gather(*(one(access, number) for number in range(CALLS)))
    (folder / "results").write_text(json.dumps(results), encoding="utf-8")


def nursery() -> None:
    """Fork a job for each line ``URL FOLDER`` and say its number; an empty line waits for its end."""
    import salitrap.providers.model_access
    import salitrap.providers.wire.openai_wire  # noqa: F401

    pid = 0
    for line in sys.stdin:
        if not line.strip():
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)  # noqa: T201
            continue
        url, folder = line.split()
        pid = os.fork()
        if pid == 0:
            asyncio.run(job(url, Path(folder)))
            os._exit(0)
        print(pid, flush=True)  # noqa: T201


if __name__ == "__main__":
    nursery()

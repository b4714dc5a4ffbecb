"""The server that the job of many calls asks.

``python -m tests.providers.journal.job_server LOG`` says its port.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from tests.providers.servers import chat

CALLS = 500


def first_is_prose(number: int) -> bool:
    """Calls whose first reply cannot be parsed, so that they are asked again."""
    return number % 14 == 1


def is_structured(number: int) -> bool:
    return number % 2 == 1


def append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


async def server(log: Path) -> None:
    """Answer each question by its number after a pause of its own; note what comes in and what goes out."""

    async def handle(request: web.Request) -> web.StreamResponse:
        messages = (await request.json())["messages"]
        users = [message["content"] for message in messages if message["role"] == "user"]
        number, again = int(users[0].rpartition("q")[2]), len(users) > 1
        append(log, f"in {number} {time.monotonic()}")
        await asyncio.sleep(number * 37 % 20 / 1000)
        response = web.json_response(chat(said(number, again)))
        with suppress(ConnectionResetError):
            await response.prepare(request)
            await response.write_eof()
        append(log, f"out {number} {time.monotonic()}")
        return response

    app = web.Application()
    app.router.add_post("/{tail:.*}", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)  # noqa: T201
    await asyncio.Event().wait()


def said(number: int, again: bool) -> str:
    if not is_structured(number) or (first_is_prose(number) and not again):
        return f"Well, {number}."
    return json.dumps({"answer": f"walk {number}", "sure": number % 3 == 0})


if __name__ == "__main__":
    asyncio.run(server(Path(sys.argv[1])))

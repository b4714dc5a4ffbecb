"""A server that answers each chat completion after a fixed time, and counts.

    python -m benchmarks.throughput.server SECONDS

Prints its port. ``POST /FORM/STACK/v1/chat/completions`` answers in the form that a stack asks for
(``json``, ``marked`` or ``plain``); ``GET /STACK`` tells calls and most requests at once since the last time.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from dataclasses import dataclass

from aiohttp import web

from benchmarks.throughput.files import allow_many_files

BACKLOG = 4096
CASE = re.compile(rb"#(\d+)#")
FORMS = {
    "json": json.dumps({"answer": "drive, case NUMBER", "sure": True}),
    "marked": "[[ ## answer ## ]]\ndrive, case NUMBER\n\n[[ ## sure ## ]]\nTrue\n\n[[ ## completed ## ]]",
    "plain": "drive, case NUMBER",
}


@dataclass
class Count:
    """What one stack did."""

    calls: int = 0
    now: int = 0
    most: int = 0


class Server:
    """Holds the counts and the bodies, which are encoded once."""

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._counts: dict[str, Count] = {}
        self._bodies = {form: _reply(content).split(b"NUMBER") for form, content in FORMS.items()}

    async def handle(self, request: web.BaseRequest) -> web.Response:
        parts = request.path.split("/")
        if request.method == "GET":
            return self._told(parts[1])
        form, stack = parts[1:3]
        count = self._counts.setdefault(stack, Count())
        count.calls += 1
        count.now += 1
        count.most = max(count.most, count.now)
        try:
            return await self._answer(request, form)
        finally:
            count.now -= 1

    async def _answer(self, request: web.BaseRequest, form: str) -> web.Response:
        cases = CASE.findall(await request.read())
        await asyncio.sleep(self._latency)
        return web.Response(body=cases[-1].join(self._bodies[form]), content_type="application/json")

    def _told(self, stack: str) -> web.Response:
        count = self._counts.get(stack, Count())
        self._counts[stack] = Count(now=count.now)
        return web.json_response({"calls": count.calls, "most_at_once": count.most})


def _reply(content: str) -> bytes:
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 120, "completion_tokens": 20, "total_tokens": 140}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    reply = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return json.dumps({**reply, "usage": usage}).encode()


async def serve(latency: float) -> None:
    allow_many_files()
    runner = web.ServerRunner(web.Server(Server(latency).handle, access_log=None, keepalive_timeout=600))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=BACKLOG).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))

"""Calls a second through our whole model access, journal on, against a loopback server.

    python -m benchmarks.throughput --calls 3000 --in-flight 64 --latency 0.05 [--stock]

``--stock`` measures ``dspy.Predict.acall`` on a stock ``dspy.LM`` against the same server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

SERVER = """
import asyncio, json, sys
from aiohttp import web

CONTENT = json.dumps({"answer": "walk", "sure": True})
CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": CONTENT}}
REPLY = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [CHOICE],
         "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}

async def handle(request):
    await request.read()
    await asyncio.sleep(float(sys.argv[1]))
    return web.json_response(REPLY)

async def main():
    app = web.Application()
    app.router.add_post("/v1/chat/completions", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
Call = Callable[[int], Awaitable[object]]


def main() -> None:
    options = parse()
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(options.latency)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        asyncio.run(stock(url, options) if options.stock else ours(url, options))
    finally:
        server.kill()
        server.wait()


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds a reply")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--stock", action="store_true")
    return parser.parse_args()


def signature() -> type:
    import dspy

    class Probe(dspy.Signature):
        """Say how to get there."""

        question: str = dspy.InputField()
        answer: str = dspy.OutputField()
        sure: bool = dspy.OutputField()

    return Probe


async def ours(url: str, options: argparse.Namespace) -> None:
    import dspy

    from salitrap.providers.access import PromptRef
    from salitrap.providers.open import open_access
    from salitrap.records import Language, Role
    from salitrap.settings import EndpointSettings, RoleSettings, Settings

    endpoint = EndpointSettings(spec=f"openai/m@{url}", in_flight=options.in_flight)
    settings = Settings(roles={Role.CHECKER: RoleSettings(endpoints=(endpoint,))})
    prompt = PromptRef("probe", 1, Language.EN, "0" * 64)
    predict = dspy.Predict(signature())
    with tempfile.TemporaryDirectory() as folder:
        async with open_access(settings, Path(folder) / "journal.sqlite") as access:

            async def call(number: int) -> object:
                return await access.ask(Role.CHECKER, predict, {"question": f"q{number}"}, prompt)

            await measure("salitrap", call, options)


async def stock(url: str, options: argparse.Namespace) -> None:
    import dspy

    dspy.configure(disable_history=True, trace=None)
    lm = dspy.LM("openai/m", api_base=url, api_key="none", cache=False)
    predict = dspy.Predict(signature())

    async def call(number: int) -> object:
        return await predict.acall(lm=lm, question=f"q{number}")

    await measure("dspy", call, options)


async def measure(name: str, call: Call, options: argparse.Namespace) -> None:
    rates, costs = [], []
    await burst(call, range(-options.in_flight, 0), options.in_flight)
    for run in range(options.runs):
        wall, cpu = time.perf_counter(), time.process_time()
        await burst(call, range(run * options.calls, (run + 1) * options.calls), options.in_flight)
        rates.append(options.calls / (time.perf_counter() - wall))
        costs.append((time.process_time() - cpu) / options.calls * 1000.0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    result = {
        "stack": name,
        "in_flight": options.in_flight,
        "calls_per_second": round(statistics.median(rates), 1),
        "cpu_ms_per_call": round(statistics.median(costs), 2),
        "peak_rss_mb": round(peak),
    }
    print(json.dumps(result))


async def burst(call: Call, numbers: range, in_flight: int) -> None:
    """Make the calls with ``in_flight`` workers."""
    waiting = iter(numbers)

    async def work() -> None:
        for number in waiting:
            await call(number)

    await asyncio.gather(*(work() for _ in range(in_flight)))


if __name__ == "__main__":
    main()

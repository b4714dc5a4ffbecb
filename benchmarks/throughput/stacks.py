"""What is compared: each stack as a careful user would set it up.

A stack is an async context manager that yields a call; the call asks question ``number`` and says whether
the answer was right. Its imports happen inside, so that each process holds one stack and nothing else.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.throughput import probe

PATIENCE = 600.0
"""Seconds that a client waits for a connection or a reply: a busy machine makes it slow, not wrong."""

Call = Callable[[int], Awaitable[bool]]


class Stack(NamedTuple):
    """How to open a stack (address, requests in flight), and the form of answer that it asks for."""

    opened: Callable[[str, int], AbstractAsyncContextManager[Call]]
    form: str
    what: str


def signature() -> Any:
    import dspy

    class Probe(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
        question: str = dspy.InputField()
        answer: str = dspy.OutputField()
        sure: bool = dspy.OutputField()

    return Probe.with_instructions(probe.INSTRUCTIONS)


@asynccontextmanager
async def access(url: str, in_flight: int, role_name: str) -> AsyncIterator[Any]:
    """Our model access with its journal on disk, in the directory that TMPDIR names."""
    from salitrap.providers.open import open_access
    from salitrap.records import Role
    from salitrap.settings import EndpointSettings, RoleSettings, Settings

    endpoint = EndpointSettings(spec=f"openai/{probe.MODEL}@{url}", in_flight=in_flight)
    pool = RoleSettings(endpoints=(endpoint,), temperature=probe.TEMPERATURE, max_tokens=probe.MAX_TOKENS)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(roles={Role(role_name): pool})
        async with open_access(settings, Path(folder) / "journal.sqlite") as opened:
            yield opened


@asynccontextmanager
async def ours(url: str, in_flight: int) -> AsyncIterator[Call]:
    async with access(url, in_flight, "checker") as opened:
        import dspy

        from salitrap.providers.access import PromptRef
        from salitrap.records import Language, Role

        prompt = PromptRef("probe", 1, Language.EN, "0" * 64)
        predict = dspy.Predict(signature())

        async def call(number: int) -> bool:
            asked = await opened.ask(Role.CHECKER, predict, {"question": probe.question(number)}, prompt)
            return probe.right(number, asked.fields["answer"], asked.fields["sure"])

        yield call


@asynccontextmanager
async def ours_answer(url: str, in_flight: int) -> AsyncIterator[Call]:
    async with access(url, in_flight, "solver") as opened:

        async def call(number: int) -> bool:
            return probe.right(number, (await opened.answer(probe.question(number))).text)

        yield call


@asynccontextmanager
async def stock(url: str, in_flight: int) -> AsyncIterator[Call]:
    """The answer comes in the form that DSPy's default adapter asks for, so that one request is enough."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import dspy

    lm = dspy.LM(
        f"openai/{probe.MODEL}",
        api_base=url,
        api_key="none",
        cache=False,
        temperature=probe.TEMPERATURE,
        max_tokens=probe.MAX_TOKENS,
        timeout=PATIENCE,
    )
    dspy.configure(lm=lm, disable_history=True, trace=None)
    predict = dspy.Predict(signature())

    async def call(number: int) -> bool:
        said = await predict.acall(question=probe.question(number))
        return probe.right(number, said.answer, said.sure)

    yield call
    await lm.aclose()


@asynccontextmanager
async def sdk(url: str, in_flight: int) -> AsyncIterator[Call]:
    from openai import AsyncOpenAI, DefaultAioHttpClient

    client = AsyncOpenAI(
        api_key="none", base_url=url, max_retries=0, timeout=PATIENCE, http_client=DefaultAioHttpClient()
    )
    async with client:

        async def call(number: int) -> bool:
            reply = await client.chat.completions.create(
                model=probe.MODEL,
                messages=probe.messages(number),  # type: ignore[arg-type]
                max_tokens=probe.MAX_TOKENS,
                temperature=probe.TEMPERATURE,
            )
            return probe.right_content(number, reply.choices[0].message.content or "")

        yield call


@asynccontextmanager
async def bare(url: str, in_flight: int) -> AsyncIterator[Call]:
    import aiohttp

    patience = aiohttp.ClientTimeout(PATIENCE)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=patience) as session:

        async def call(number: int) -> bool:
            async with session.post(f"{url}/chat/completions", json=probe.body(number)) as response:
                reply = await response.json()
            return probe.right_content(number, reply["choices"][0]["message"]["content"])

        yield call


OURS, STOCK = "ours", "stock"
STACKS = {
    OURS: Stack(ours, "json", "access.ask: limiter, budget, journal on disk, strict parsing"),
    STOCK: Stack(stock, "marked", "dspy.Predict.acall on dspy.LM, cache and history off"),
    "sdk": Stack(sdk, "json", "openai SDK on its aiohttp transport, json.loads"),
    "aiohttp": Stack(bare, "json", "aiohttp alone, json.loads"),
    "answer": Stack(ours_answer, "plain", "access.answer: the same path without DSPy"),
}
COMPARED = (OURS, STOCK, "sdk", "aiohttp")

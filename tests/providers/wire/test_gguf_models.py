"""A real model file in this process. ``make test-local`` fetches a small one and runs these.

They look for it in ``models/`` of the Python environment and are skipped without it.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from salitrap.errors import CallFailed, ConfigError
from salitrap.providers.open import open_access
from salitrap.records import Outcome
from tests.providers.helpers import endpoint, journal_at, pacing, probe, settings

MODEL = Path(sys.prefix) / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
THERE = find_spec("xllamacpp") is not None and MODEL.is_file()
EXAMPLE = Path(__file__).parents[3] / "examples" / "local.yaml"
LONG = "Write a very long story about a lighthouse."
ANSWERED = (Outcome.OK, Outcome.TRUNCATED)
SECONDS_TO_STOP = 10.0

pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(
        not THERE and "SALITRAP_TEST_LOCAL" not in os.environ, reason="no small model; make local-model"
    ),
]


def served(path: Path = MODEL, role: dict | None = None, limits: dict | None = None, **serving: int):
    given = endpoint(f"gguf/{path}", gguf={"context": 2048, "threads": 1, **serving})
    return settings(given, role={"max_tokens": 20, **(role or {})}, limits=limits or {})


async def test_structured_reply_has_the_asked_form_and_tells_nothing_of_the_machine(tmp_path):
    """The runtime names the whole path in every reply unless told otherwise."""
    chosen = served(role={"max_tokens": 200})
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        asked = await probe(access, "The car wash is 50 m away. Walk or drive?")
        answered = await access.answer("Name a colour.")
        spend = access.spend()
    assert set(asked.fields) == {"answer", "sure", "reason"} and isinstance(asked.fields["sure"], bool)
    assert answered.outcome in ANSWERED and answered.family == MODEL.name
    for source in (asked.provenance, answered.provenance):
        assert (source.model, source.returned_model) == (f"gguf/{MODEL.name}", MODEL.name)
        assert not source.simulated
    assert (spend.attempts, spend.simulated) == (2, False)
    assert str(MODEL.parent).encode() not in journal_at(tmp_path).read_bytes()


async def test_schema_is_what_forces_the_form(tmp_path):
    """Without it this model writes prose, so the test above would prove nothing of the schema."""
    plain = endpoint(f"gguf/{MODEL}", gguf={"context": 2048}, json_schema=False)
    chosen = settings(plain, role={"max_tokens": 100}, limits={"reasks": 0})
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        with pytest.raises(CallFailed):
            await probe(access, "The car wash is 50 m away. Walk or drive?")


async def test_a_local_model_costs_nothing(tmp_path):
    given = endpoint(f"gguf/{MODEL}", gguf={"context": 2048}, price_input=3.0, price_output=15.0)
    chosen = settings(given, role={"max_tokens": 5}, budget={"usd": 0.01})
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        await access.answer("Name a colour.")
        assert access.spend().usd == 0.0


async def test_slots_work_at_the_same_time_and_no_more_than_there_are(tmp_path):
    async with open_access(served(), journal_at(tmp_path), pacing=pacing()) as access:
        tasks = [asyncio.create_task(access.answer(f"Name {number} colours.")) for number in range(5)]
        busiest = 0
        while not all(task.done() for task in tasks):
            busiest = max(busiest, access.in_flight)
            await asyncio.sleep(0.005)
        assert {(await task).outcome for task in tasks} <= set(ANSWERED)
    assert busiest == 2


async def test_repeats_are_drawn_with_seeds_of_their_own(tmp_path):
    """Certification needs fresh answers, not one answer five times."""
    chosen = served(role={"temperature": 1.5})
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        answers = [await access.answer("Tell me something.", repeat=repeat) for repeat in range(3)]
    assert len({answer.text for answer in answers}) > 1


async def test_request_beyond_the_context_fails_with_the_reason(tmp_path):
    async with open_access(served(context=512), journal_at(tmp_path), pacing=pacing()) as access:
        answer = await access.answer("walk " * 2000)
        assert (await access.answer("Name a colour.")).outcome in ANSWERED
    assert answer.outcome is Outcome.API_ERROR and "context size" in answer.detail


async def test_abandoned_request_gives_its_slot_back(tmp_path):
    """Computed to their end, 20 stories would keep the only slot busy for minutes."""
    chosen = served(role={"max_tokens": 1900, "attempt_timeout": 30.0}, limits={"attempts": 1}, slots=1)
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        for repeat in range(20):
            task = asyncio.create_task(access.answer(LONG, repeat=repeat))
            await asyncio.sleep(0.2)
            task.cancel()
        answer = await access.answer("Say yes.")
    assert answer.outcome is not Outcome.TIMEOUT


async def test_reply_is_reused_for_the_same_content_only(tmp_path):
    """A replaced file is another model; a moved one is not."""
    role = {"max_tokens": 100}
    chosen = served(model_in(tmp_path / "a"), role)
    async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
        await access.answer("Name a colour.")
    moved = served(model_in(tmp_path / "b"), role)
    async with open_access(moved, journal_at(tmp_path), pacing=pacing()) as access:
        await access.answer("Name a colour.")
        assert (access.spend().attempts, access.spend().reused) == (1, 1)
    with (tmp_path / "b" / "m.gguf").open("ab") as file:
        file.write(b"\0")
    async with open_access(moved, journal_at(tmp_path), pacing=pacing()) as access:
        await access.answer("Name a colour.")
        assert (access.spend().attempts, access.spend().reused) == (2, 0)


async def test_file_that_cannot_be_loaded_is_one_line(tmp_path, capfd):
    cut = tmp_path / "cut.gguf"
    with MODEL.open("rb") as file:
        cut.write_bytes(file.read(1_000_000))
    with pytest.raises(ConfigError, match="cannot load it; the file may be incomplete") as caught:
        async with open_access(served(cut), journal_at(tmp_path), pacing=pacing()):
            pass
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


async def test_model_that_is_closed_unused_does_not_hang(tmp_path):
    """Freed before its loop had begun, the server waited for ever: a run without new calls never ended."""
    for _ in range(5):
        async with open_access(served(), journal_at(tmp_path), pacing=pacing()):
            pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_process_ends_promptly_while_the_model_writes(tmp_path, number):
    code = (
        "import asyncio, pathlib, sys\n"
        "from tests.providers.wire.test_gguf_models import LONG, open_access, served\n"
        "async def main():\n"
        "    path = pathlib.Path(sys.argv[1]) / 'journal.sqlite'\n"
        "    async with open_access(served(role={'max_tokens': 1900}), path) as access:\n"
        "        task = asyncio.create_task(access.answer(LONG))\n"
        "        await asyncio.sleep(0.5)\n"
        "        print('writing', flush=True)\n"
        "        await task\n"
        "asyncio.run(main())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(number)
    try:
        assert process.wait(SECONDS_TO_STOP) != 0
    finally:
        process.kill()
        process.stdout.close()


def test_local_example_goes_through_every_stage(tmp_path):
    """One seed and short answers, so that a small model takes seconds; what it says does not matter."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for old, new in (
        ("gguf/models/model.gguf", f"gguf/{MODEL}"),
        ("default: {en: 1}", "D2: {en: 1}"),
        ("max_tokens: 800", "max_tokens: 120"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "c.yaml").write_text(text, encoding="utf-8")
    run = tmp_path / "run"
    done = salitrap("run", "-c", tmp_path / "c.yaml", "--run", run, "--yes")
    assert done.returncode in (0, 3), done.stderr
    assert "certify: 1/1" in done.stderr or "could not be judged" in done.stderr
    calls = json.loads(salitrap("calls", run, "--role", "solver", "--limit", 0, "--json").stdout)["calls"]
    assert calls and {call["model"] for call in calls} == {f"gguf/{MODEL.name}"}
    assert {Outcome(call["outcome"]) for call in calls} <= set(ANSWERED)
    assert {call["usd"] for call in calls} == {0.0}


def salitrap(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "salitrap", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def model_in(folder: Path) -> Path:
    folder.mkdir()
    shutil.copyfile(MODEL, folder / "m.gguf")
    return folder / "m.gguf"

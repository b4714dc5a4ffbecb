"""The lab over real HTTP, in its own process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from salitrap.errors import InputError, SalitrapError
from salitrap.lab.__main__ import serve_forever
from salitrap.lab.faults import ATTEMPT_HEADER, HEADER
from salitrap.lab.process import lab_arguments, lab_process
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from salitrap.settings.model import LabSettings
from tests.lab.asks import JudgeForm, NatForm, TruthForm, question_body, structured_body

ROOT = Path(__file__).resolve().parents[2]


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "salitrap.lab", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def lab() -> Iterator[str]:
    with start("--port=0", "--seed=3") as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}/v1"
        process.communicate(timeout=10)


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def post(
    client: aiohttp.ClientSession, url: str, body: Any, fault: str | None = None
) -> tuple[int, Any, Any]:
    headers = {HEADER: fault} if fault else {}
    async with client.post(f"{url}/chat/completions", json=body, headers=headers) as response:
        return response.status, response.headers, await response.text()


async def test_a_completion_has_the_openai_form(lab: str, client: aiohttp.ClientSession) -> None:
    status, _, text = await post(client, lab, question_body("How long for 40 l?", model="solver-b"))
    reply = json.loads(text)
    assert status == 200
    assert reply["object"] == "chat.completion"
    assert reply["model"] == "solver-b"
    assert reply["system_fingerprint"] == "salitrap-lab-3"
    choice = reply["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["role"] == "assistant"
    usage = reply["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    written = len(choice["message"]["content"]) + len(choice["message"].get("reasoning_content", ""))
    assert usage["completion_tokens"] == round(written / 4)


async def test_models_are_listed(lab: str, client: aiohttp.ClientSession) -> None:
    async with client.get(f"{lab}/models") as response:
        names = {model["id"] for model in (await response.json())["data"]}
    assert {"generator", "writer", "checker", "judge", "solver-a", "solver-b", "solver-c"} <= names


async def test_equal_requests_get_equal_replies_and_another_seed_another(
    lab: str, client: aiohttp.ClientSession
) -> None:
    prompt = load_table(Language.EN).cells["D1"][3].prompt
    texts = {(await post(client, lab, question_body(prompt, seed=1)))[2] for _ in range(3)}
    others = {(await post(client, lab, question_body(prompt, seed=seed)))[2] for seed in range(8)}
    assert len(texts) == 1
    assert len(others) > 1


async def test_seed_answer_and_judgement_go_end_to_end(lab: str, client: aiohttp.ClientSession) -> None:
    entry = load_table(Language.ZH).cells["D4"][30]
    core = {"prompt": entry.prompt, "trap_core": entry.trap_core}
    answer = json.loads((await post(client, lab, question_body(entry.prompt)))[2])
    said = answer["choices"][0]["message"]["content"]
    judging = {**core, "ground_truth": entry.ground_truth, "answer": said}
    forms = ((TruthForm, core), (NatForm, {"prompt": entry.prompt}), (JudgeForm, judging))
    for form, inputs in forms:
        _, _, text = await post(client, lab, structured_body(form, inputs))
        form.model_validate(json.loads(json.loads(text)["choices"][0]["message"]["content"]))


async def test_each_fault_looks_as_it_does_at_a_provider(lab: str, client: aiohttp.ClientSession) -> None:
    bare = question_body("How long for 40 l?")
    asked = structured_body(NatForm, {"prompt": "How long for 40 l?"})
    status, headers, _ = await post(client, lab, bare, "http_429")
    assert (status, float(headers["Retry-After"]) > 0) == (429, True)
    assert (await post(client, lab, bare, "http_500"))[0] == 500
    with pytest.raises(json.JSONDecodeError):
        json.loads((await post(client, lab, bare, "malformed"))[2])
    broken = json.loads((await post(client, lab, asked, "malformed"))[2])
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken["choices"][0]["message"]["content"])
    choices = {
        name: json.loads((await post(client, lab, asked, name))[2])["choices"][0]
        for name in ("truncated", "empty", "filtered")
    }
    assert choices["truncated"]["finish_reason"] == "length"
    assert choices["empty"]["message"]["content"] == ""
    assert choices["filtered"]["message"]["content"] is None
    assert choices["filtered"]["finish_reason"] == "content_filter"


async def test_the_attempts_number_travels_as_a_header(client: aiohttp.ClientSession) -> None:
    async with lab_process(LabSettings(faults={"http_500": 0.5})) as url:
        target, body = f"{url}/chat/completions", question_body("How long for 40 l?")

        async def status(attempt: str) -> int:
            async with client.post(target, json=body, headers={ATTEMPT_HEADER: attempt}) as response:
                return response.status

        first = [await status(str(number)) for number in range(1, 13)]
        assert first == [await status(str(number)) for number in range(1, 13)]
        assert set(first) == {200, 500}
        assert await status("many") == 400


async def test_a_stall_lasts_until_the_client_gives_up(lab: str, client: aiohttp.ClientSession) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(post(client, lab, question_body("?"), "stall"), 0.3)
    assert (await post(client, lab, question_body("?")))[0] == 200


@pytest.mark.parametrize("body", [{}, {"model": "x", "messages": []}, {**question_body("?"), "stream": True}])
async def test_a_bad_request_gets_400_with_a_message(
    lab: str, client: aiohttp.ClientSession, body: Any
) -> None:
    status, _, text = await post(client, lab, body)
    assert status == 400
    assert json.loads(text)["error"]["message"]


async def test_a_stalled_request_does_not_hold_up_the_end() -> None:
    loop = asyncio.get_running_loop()
    async with aiohttp.ClientSession() as session:
        async with lab_process(LabSettings()) as url:
            stalled = asyncio.create_task(post(session, url, question_body("?"), "stall"))
            await asyncio.sleep(0.2)
            before = loop.time()
        assert loop.time() - before < 3.0
        with pytest.raises(aiohttp.ClientError):
            await stalled


async def test_latency_and_faults_of_the_settings_reach_the_process() -> None:
    settings = LabSettings(seed=9, latency=0.15, faults={"http_500": 1.0})
    async with lab_process(settings) as url, aiohttp.ClientSession() as session:
        before = asyncio.get_running_loop().time()
        status, _, _ = await post(session, url, question_body("?"))
        assert asyncio.get_running_loop().time() - before >= 0.15
        assert status == 500


async def test_it_starts_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "yaml.py").write_text("raise ImportError('the wrong yaml')\n")
    monkeypatch.chdir(tmp_path)
    async with lab_process(LabSettings()) as url, aiohttp.ClientSession() as session:
        assert (await post(session, url, question_body("?")))[0] == 200


async def test_a_lab_that_dies_at_the_start_says_why() -> None:
    with pytest.raises(SalitrapError, match="unknown fault 'meteor'"):
        async with lab_process(LabSettings(faults={"meteor": 0.5})):
            pytest.fail("it must not start")


def test_it_prints_the_port_as_one_json_line_and_ends_when_its_input_closes() -> None:
    with start("--port", "0") as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["port"] > 0
        _, errors = process.communicate(timeout=10)
        assert (process.returncode, errors) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_ends_it_although_its_input_is_open() -> None:
    with start("--port=0", "--until-interrupted") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0


def test_a_taken_port_is_reported_in_one_line() -> None:
    with start("--port=0") as first:
        assert first.stdout is not None
        port = json.loads(first.stdout.readline())["port"]
        with start(f"--port={port}") as second:
            _, errors = second.communicate(timeout=10)
        assert second.returncode == 2
        assert "cannot listen" in errors
        assert "Traceback" not in errors


def test_arguments_do_not_depend_on_the_order_of_faults() -> None:
    faults = {"empty": 0.1, "stall": 0.2}
    turned = dict(reversed(faults.items()))
    assert lab_arguments(LabSettings(faults=faults)) == lab_arguments(LabSettings(faults=turned))


@pytest.mark.parametrize(
    ("port", "latency", "faults"),
    [(0, 0.0, ["meteor=1"]), (0, -1.0, []), (0, float("nan"), []), (70_000, 0.0, []), (0, 0.0, ["empty=7"])],
)
def test_serving_with_senseless_options_is_an_input_error(
    port: int, latency: float, faults: list[str]
) -> None:
    with pytest.raises(InputError):
        serve_forever(port=port, seed=0, latency=latency, faults=faults)

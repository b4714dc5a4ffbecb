"""DSPy callbacks see every model call, whatever its kind, and never a key."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import dspy
import pytest
from dspy.utils.callback import BaseCallback

from salitrap.errors import CallFailed, CredentialRejected
from salitrap.providers import model_access
from salitrap.providers.open import open_access
from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.tracing import CallInfo, current_call
from salitrap.records import Outcome, Role
from tests.providers.helpers import GOOD, PROMPT, endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, claude, serving

KEY = "sk-planted-0123456789"
PROTOCOLS = pytest.mark.parametrize(("kind", "say"), [("openai", chat), ("anthropic", claude)])


class Recorder(BaseCallback):
    """Keeps the events in order: name, what was given, and the current call."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, Any], CallInfo | None]] = []

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("on_"):
            return super().__getattribute__(name)
        return lambda **given: self.seen.append((name, given, current_call()))

    def events(self) -> list[str]:
        return [name for name, _, _ in self.seen]

    def calls(self, event: str = "on_lm_end") -> list[CallInfo]:
        return [call for name, _, call in self.seen if name == event and call is not None]


def opened(tmp_path, server, kind, **more):
    address = server.url if kind == "openai" else server.root
    prices = {"price_input": 1.0, "price_output": 2.0}
    chosen = settings(endpoint(f"{kind}/gpt-5.2@{address}", api_key_env="PLANTED", **prices), **more)
    return open_access(chosen, journal_at(tmp_path), pacing=pacing(), environment={"PLANTED": KEY})


@PROTOCOLS
async def test_a_structured_call_is_seen_from_module_to_model(tmp_path, kind, say):
    recorder = Recorder()
    async with serving(lambda body, number: say(GOOD)) as server, opened(tmp_path, server, kind) as access:
        with dspy.context(callbacks=[recorder]):
            asked = await probe(access, repeat=2)
    assert recorder.events() == [
        "on_module_start",
        "on_adapter_format_start",
        "on_adapter_format_end",
        "on_lm_start",
        "on_lm_end",
        "on_adapter_parse_start",
        "on_adapter_parse_end",
        "on_module_end",
    ]
    (before,), (after,) = recorder.calls("on_lm_start"), recorder.calls()
    assert (before.role, before.prompt, before.repeat) == (Role.CHECKER, str(PROMPT), 2)
    assert (before.outcome, before.call_key) == (None, "")
    tokens = (11, 7) if kind == "openai" else (13, 5)
    assert (after.input_tokens, after.output_tokens) == tokens
    assert after.usd == pytest.approx((tokens[0] + 2 * tokens[1]) / 1e6)
    assert (after.outcome, after.call_key) == (Outcome.OK, asked.provenance.call_key)
    assert after.model == before.model == asked.provenance.model
    assert recorder.calls("on_module_end") == [after]
    assert current_call() is None


@PROTOCOLS
async def test_a_bare_answer_is_seen_and_is_the_same_as_without_callbacks(tmp_path, kind, say):
    recorder, answers = Recorder(), []
    async with serving(lambda body, number: say("drive")) as server:
        for name, callbacks in (("a", []), ("b", [recorder])):
            (tmp_path / name).mkdir()
            async with opened(tmp_path / name, server, kind) as access:
                with dspy.context(callbacks=callbacks):
                    answers.append(await access.answer("Walk or drive?"))
        sent = [seen.body for seen in server.seen]
    assert answers[0] == answers[1]
    assert sent[0] == sent[1]
    assert recorder.events() == ["on_lm_start", "on_lm_end"]
    (call,) = recorder.calls()
    assert (call.role, call.prompt, call.outcome) == (Role.SOLVER, "", Outcome.OK)
    (shown,) = [given["outputs"] for name, given, _ in recorder.seen if name == "on_lm_end"]
    assert (shown.text, shown.id, shown.model) == ("drive", call.call_key, call.model)
    assert json.loads(json.dumps(shown.provider_data))["salitrap"] == call.record()


@PROTOCOLS
async def test_as_many_calls_are_seen_as_the_journal_has_replies_and_takes_from_it(tmp_path, kind, say):
    """A re-ask, a failed call, and equal calls at one time, of which the journal serves all but one."""
    script = {1: say("no json here"), 3: (400, {"error": {"message": "no such thing"}})}
    recorder = Recorder()
    async with (
        serving(lambda body, number: script.get(number, say(GOOD))) as server,
        opened(tmp_path, server, kind, limits={"reasks": 1}) as access,
    ):
        with dspy.context(callbacks=[recorder]):
            await access.answer("one")
            await probe(access)
            assert (await access.answer("two")).outcome is Outcome.API_ERROR
            await asyncio.gather(*(access.answer("three") for _ in range(3)))
            await asyncio.gather(*(probe(access, "four") for _ in range(3)))
            await probe(access)
        rows = access._caller._books.journal.select("SELECT key FROM calls WHERE final")
        reused = access.spend().reused
    sent = [call.call_key for call in recorder.calls() if not call.from_journal]
    assert sorted(sent) == sorted(row["key"] for row in rows)
    found = [call for call in recorder.calls() if call.from_journal]
    assert len(found) == reused == 5
    assert {(call.usd, call.outcome) for call in found} == {(0.0, Outcome.OK)}
    assert len(recorder.calls("on_lm_start")) == len(rows) + reused
    parsed = [given["exception"] for name, given, _ in recorder.seen if name == "on_adapter_parse_end"]
    (error,) = filter(None, parsed)
    assert isinstance(error, ParseError) and error.outcome is Outcome.DECLINED


async def test_a_raising_callback_loses_no_reply(tmp_path):
    class Raising(BaseCallback):
        def on_lm_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
            raise RuntimeError("start")

        def on_lm_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:
            raise RuntimeError("end")

    async with (
        serving(lambda body, number: chat(GOOD)) as server,
        opened(tmp_path, server, "openai") as access,
    ):
        with dspy.context(callbacks=[Raising()]):
            assert (await probe(access)).fields["answer"] == "walk"
            assert (await access.answer("q")).outcome is Outcome.OK
        assert server.requests == 2


async def test_failures_and_stops_pass_through_unchanged(tmp_path):
    recorder = Recorder()
    script = {0: (400, {"error": {"message": "no"}}), 1: (400, {"error": {"message": "no"}})}
    refused = (401, {"error": {"message": "Incorrect API key"}})
    async with (
        serving(lambda body, number: script.get(number, refused)) as server,
        opened(tmp_path, server, "openai") as access,
    ):
        with dspy.context(callbacks=[recorder]):
            assert (await access.answer("q")).outcome is Outcome.API_ERROR
            with pytest.raises(CallFailed):
                await probe(access)
            with pytest.raises(CredentialRejected):
                await access.answer("r")
    assert [call.outcome for call in recorder.calls()] == [Outcome.API_ERROR, Outcome.API_ERROR, None]
    assert current_call() is None


@PROTOCOLS
async def test_no_key_is_in_anything_that_a_callback_is_given(tmp_path, kind, say):
    """Guards against a tool that writes down attributes and finds the client behind the model object."""
    recorder = Recorder()
    refused = (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
    async with (
        serving(lambda body, number: say(f"{GOOD} {KEY}") if number < 2 else refused) as server,
        opened(tmp_path, server, kind) as access,
    ):
        with dspy.context(callbacks=[recorder]):
            await access.answer("q")
            await probe(access)
            with pytest.raises(CredentialRejected):
                await access.answer("r")
        assert KEY in str(server.seen[0].headers)
        held = [text for seen in recorder.seen for text in texts(seen, set())]
    assert "on_lm_end" in held
    assert not [text[:300] for text in held if KEY in text]


async def test_without_callbacks_a_bare_answer_does_not_go_by_way_of_dspy(tmp_path, monkeypatch):
    async def never(*given: Any) -> None:
        raise AssertionError("went by way of dspy.LM")

    monkeypatch.setattr(model_access, "watched", never)
    async with (
        serving(lambda body, number: chat("ok")) as server,
        opened(tmp_path, server, "openai") as access,
    ):
        assert (await access.answer("q")).text == "ok"


def test_nothing_is_under_way_outside_of_calls():
    assert current_call() is None


def texts(thing: Any, met: set[int]) -> list[str]:
    """Every text that is reached from ``thing`` over attributes and items, and its own representation."""
    if id(thing) in met:
        return []
    met.add(id(thing))
    if isinstance(thing, str | bytes):
        return [str(thing)]
    parts: list[Any] = []
    if isinstance(thing, dict):
        parts += [*thing.keys(), *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        parts += list(thing)
    if not isinstance(thing, type) and hasattr(thing, "__dict__"):
        parts += list(vars(thing).values())
    return [repr(thing), *(text for part in parts for text in texts(part, met))]

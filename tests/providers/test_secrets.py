"""A key never leaves the process, whatever an endpoint echoes."""

from __future__ import annotations

import logging
import time
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.errors import CallFailed, ConfigError, CredentialRejected
from salitrap.providers.api_keys import Redactor
from salitrap.providers.open import open_access
from tests.providers.helpers import endpoint, journal_at, pacing, probe, settings
from tests.providers.servers import chat, claude, serving

KEY = "sk-planted-0123456789"


def echoing(say):
    """A server that repeats the key in every place it has; ``say`` makes its ordinary replies."""
    script = {
        0: (500, {"error": {"message": f"boom {KEY}"}}),
        1: {"error": {"message": f"odd {KEY}", "code": 500}},
        2: f"<html>{KEY}</html>",
        3: (400, {"error": {"message": f"`temperature` is unsupported for {KEY}", "param": "temperature"}}),
        4: say(f"the key is {KEY}"),
        5: say(f"no json but {KEY}"),
        6: say(f"still none: {KEY}"),
    }
    refused = (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
    return lambda body, number: script.get(number, refused)


@pytest.mark.parametrize(("kind", "say"), [("openai", chat), ("anthropic", claude)])
async def test_planted_key_is_in_no_file_log_message_or_traceback(tmp_path, caplog, kind, say):
    caplog.set_level(logging.DEBUG)
    texts: list[str] = []
    async with serving(echoing(say)) as server:
        address = server.url if kind == "openai" else server.root
        chosen = settings(endpoint(f"{kind}/m@{address}", api_key_env="PLANTED"))
        environment = {"PLANTED": KEY}
        async with open_access(
            chosen, journal_at(tmp_path), pacing=pacing(), environment=environment
        ) as access:
            texts.append(repr(await access.answer("one")))
            for expected in (CallFailed, CredentialRejected):
                with pytest.raises(expected) as caught:
                    await probe(access)
                texts.append("".join(traceback.format_exception(caught.value)))
            texts.append(access.spend().model_dump_json())
            assert KEY in str(server.seen[0].headers.values())
    texts.extend(record.getMessage() for record in caplog.records if not record.name.startswith("aiohttp"))
    texts.extend(path.read_bytes().decode("utf-8", "replace") for path in tmp_path.iterdir())
    assert not [text[:300] for text in texts if KEY in text]


async def test_missing_key_is_named_before_anything_is_opened(tmp_path):
    for chosen, name in (
        (settings("openai/m"), "OPENAI_API_KEY"),
        (settings("anthropic/m"), "ANTHROPIC_API_KEY"),
        (settings(endpoint("openai/m@http://h/v1", api_key_env="MINE")), "MINE"),
    ):
        with pytest.raises(ConfigError, match=f"{name} is not set"):
            async with open_access(chosen, journal_at(tmp_path), environment={"MINE": "  "}):
                pass
    assert list(tmp_path.iterdir()) == []


async def test_local_endpoint_needs_no_key_and_gets_nobody_elses(tmp_path):
    async with serving(lambda body, number: chat("ok")) as server:
        environment = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
        chosen = settings(f"openai/m@{server.url}")
        async with open_access(chosen, journal_at(tmp_path), environment=environment) as access:
            await access.answer("q")
        assert KEY not in str(server.seen[0].headers)


async def test_key_that_is_no_header_is_refused_without_being_shown(tmp_path):
    with pytest.raises(ConfigError) as caught:
        async with open_access(
            settings("openai/m"), journal_at(tmp_path), environment={"OPENAI_API_KEY": "sk\nplanted"}
        ):
            pass
    assert "planted" not in str(caught.value)


LONG = "sk-Pl4nted/Key+with=chars~0123456789"


@given(st.text(st.sampled_from('ab sk-Pl4\\u007%&#;n"/+\n'), max_size=60))
def test_text_that_has_no_key_is_not_changed(text):
    redactor = Redactor([LONG])
    assert redactor.clean(text) == text
    assert redactor.clean(f"{text}{LONG}{text}").count("[key]") == 1


def test_cleaning_what_the_key_is_not_in_is_quick():
    redactor = Redactor([LONG, "another-key-0123456789"])
    text = "a word, 100 % of it\\n and \\u8d70 more " * 3_000
    started = time.perf_counter()
    assert redactor.clean(text) == text
    assert time.perf_counter() - started < 1.0


def test_exceptions_on_their_way_out_are_cleaned_with_all_that_is_behind_them():
    inner, other = ValueError(f"header {KEY}"), KeyError(KEY)
    outer = ExceptionGroup("several", [RuntimeError(f"key {KEY}", 7), other])
    outer.__cause__, inner.__context__ = inner, outer
    Redactor([KEY]).scrub(type(outer), outer, None)
    assert KEY not in "".join(traceback.format_exception(outer))
    assert outer.exceptions[0].args == ("key [key]", 7)


async def test_key_in_place_of_the_name_of_its_variable_is_refused_without_being_shown(tmp_path):
    chosen = settings(endpoint("openai/m@http://h/v1", api_key_env=LONG))
    with pytest.raises(ConfigError, match="name of an environment variable") as caught:
        async with open_access(chosen, journal_at(tmp_path), environment={}):
            pass
    assert LONG[:8] not in str(caught.value)


@pytest.mark.parametrize(("kind", "say"), [("openai", chat), ("anthropic", claude)])
async def test_debug_logs_of_the_sdks_show_no_key_that_a_server_echoes_in_a_header(
    tmp_path, caplog, kind, say
):
    """``ANTHROPIC_LOG=debug`` showed the reply's headers as they came."""
    caplog.set_level(logging.DEBUG)
    async with serving(lambda body, number: (200, say("ok"), {"X-Echo": f"Bearer {KEY}"})) as server:
        address = server.url if kind == "openai" else server.root
        chosen = settings(endpoint(f"{kind}/m@{address}", api_key_env="PLANTED"))
        async with open_access(chosen, journal_at(tmp_path), environment={"PLANTED": KEY}) as access:
            await access.answer("How?")
            logging.getLogger("somebody").debug("a key: %s", KEY)
    messages = [record.getMessage() for record in caplog.records]
    assert any("x-echo" in message.lower() for message in messages) or kind == "openai"
    assert "a key: [key]" in messages
    assert not any(KEY in message for message in messages)


def logged_failure(cause):
    """The records of an SDK's logger that tells of a failure with all that is behind it."""
    try:
        try:
            raise KeyError(f"behind it {KEY}") from cause
        except KeyError as error:
            raise ConnectionError("the request failed", {"x-api-key": KEY}) from error
    except ConnectionError:
        logging.getLogger("openai._base_client").exception("Encountered Exception")


async def test_tracebacks_in_the_logs_of_the_sdks_show_no_key(tmp_path, caplog):
    """Only the message was cleaned: ``exc_info`` came out as it was, whoever formatted it."""
    caplog.set_level(logging.DEBUG)
    chosen = settings(endpoint("openai/m@http://127.0.0.1:9/v1", api_key_env="PLANTED"))
    async with open_access(chosen, journal_at(tmp_path), environment={"PLANTED": KEY}):
        logged_failure(ExceptionGroup("several", [ValueError(KEY)]))
        try:
            raise ValueError("no key in it")
        except ValueError:
            logging.getLogger("openai").exception("plain")
    records = [record for record in caplog.records if record.name.startswith("openai")]
    told = "".join(logging.Formatter().format(record) for record in records)
    assert KEY not in told and told.count("[key]") == 3
    assert "behind it [key]" in told and "The above exception was the direct cause" in told
    kept = [record for record in records if record.exc_info]
    assert [record.message for record in kept] == ["plain"], "what holds no key stays as it was"


async def test_a_log_line_whose_arguments_do_not_fit_shows_no_key(tmp_path, caplog):
    """It was let through as it was."""
    chosen = settings(endpoint("openai/m@http://127.0.0.1:9/v1", api_key_env="PLANTED"))
    async with open_access(chosen, journal_at(tmp_path), environment={"PLANTED": KEY}):
        logging.getLogger("openai").warning("one %s", KEY, KEY)
    assert KEY not in caplog.text and "[key]" in caplog.text


@pytest.mark.parametrize("placeholder", ["ollama", "123456", "message", "choices"])
async def test_what_servers_without_keys_are_told_is_not_taken_out_of_answers(tmp_path, placeholder):
    """``created: 1712345678`` was no JSON any more, and answers lost words."""
    said = f"Run {placeholder} serve first; message and choices stay."
    async with serving(lambda body, number: chat(said) | {"created": 1712345678}) as server:
        chosen = settings(endpoint(f"openai/m@{server.url}", api_key_env="PLANTED"))
        environment = {"PLANTED": placeholder}
        async with open_access(chosen, journal_at(tmp_path), environment=environment) as access:
            assert (await access.answer("How?")).text == said


async def test_blanking_a_key_leaves_a_reply_the_json_it_was(tmp_path):
    r"""``\n`` before the rest of a key was read as its first letter, and an illegal escape was left."""
    key = "nvapi-abcdefgh"
    said = f"first\nvapi-abcdefgh and {key}"
    async with serving(lambda body, number: chat(said)) as server:
        chosen = settings(endpoint(f"openai/m@{server.url}", api_key_env="PLANTED"))
        async with open_access(chosen, journal_at(tmp_path), environment={"PLANTED": key}) as access:
            answer = await access.answer("How?")
    assert answer.text == "first\nvapi-abcdefgh and [key]"


def test_a_text_of_backslashes_is_searched_in_no_time():
    """It took twenty seconds, in which no other call got its reply."""
    redactor = Redactor(["sk-planted-0123456789"])
    began = time.process_time()
    assert redactor.clean("\\" * 64_000).startswith("\\")
    assert time.process_time() - began < 1.0

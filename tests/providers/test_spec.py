from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from salitrap.errors import ConfigError
from salitrap.providers.spec import Provider, parse_spec


@pytest.mark.parametrize(
    ("text", "provider", "name", "url"),
    [
        ("openai/gpt-x", Provider.OPENAI, "gpt-x", None),
        ("openai/org/name:tag@http://host:8000/v1", Provider.OPENAI, "org/name:tag", "http://host:8000/v1"),
        ("openai/a@b@https://host/v1/", Provider.OPENAI, "a@b", "https://host/v1"),
        ("anthropic/claude-x@http://127.0.0.1:1", Provider.ANTHROPIC, "claude-x", "http://127.0.0.1:1"),
        ("lab/solver-a", Provider.LAB, "solver-a", None),
    ],
)
def test_spec_forms_are_understood(text, provider, name, url):
    spec = parse_spec(text)
    assert (spec.provider, spec.name, spec.base_url, spec.text) == (provider, name, url, text)


@pytest.mark.parametrize(
    "text",
    [
        "gpt-x",
        "openai/",
        "openai/ x",
        "mistral/x",
        "lab/x@http://h/v1",
        "openai/m@http://",
        "openai/m@http://h:0/v1",
        "openai/m@http://h:99999/v1",
        "gguf/",
        "gguf/..",
        "gguf/m.gguf@http://h/v1",
    ],
)
def test_unusable_spec_is_refused_with_a_reason(text):
    with pytest.raises(ConfigError):
        parse_spec(text)


@pytest.mark.parametrize("path", ["models/m.gguf", "/home/me/models/m.gguf", "~/m.gguf", "m.gguf"])
def test_model_file_is_recorded_by_name_and_found_by_path(path):
    """A path tells about the machine, and the spec is written beside every answer."""
    spec = parse_spec(f"gguf/{path}")
    assert (spec.provider, spec.text, spec.name) == (Provider.GGUF, "gguf/m.gguf", "m.gguf")
    assert spec.path == Path(path)
    assert (spec.base_url, spec.key_env) == (None, None)


@pytest.mark.parametrize("url", ["http://user:pw@h/v1", "http://h/v1?key=pw"])
def test_secret_in_an_address_is_refused_and_not_repeated(url):
    with pytest.raises(ConfigError) as caught:
        parse_spec(f"openai/m@{url}")
    assert "pw" not in str(caught.value)


def test_two_addresses_that_disagree_are_refused():
    with pytest.raises(ConfigError, match="two addresses"):
        parse_spec("openai/m@http://a/v1", "http://b/v1")
    assert parse_spec("openai/m@http://a/v1", "http://a/v1/").base_url == "http://a/v1"


def test_default_key_variable_is_never_meant_for_another_host():
    assert parse_spec("openai/m").key_env == "OPENAI_API_KEY"
    assert parse_spec("anthropic/m").key_env == "ANTHROPIC_API_KEY"
    assert parse_spec("openai/m@https://elsewhere/v1").key_env is None
    assert parse_spec("lab/m").key_env is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("openai/小模型＠http://127.0.0.1:8000/v1", "'＠' (U+FF20); type the ASCII '@'"),
        ("openai/m@http：//x", "'：' (U+FF1A); type the ASCII ':'"),
        ("openai/m@http:／／x", "'／' (U+FF0F); type the ASCII '/'"),
        ("openai／m", "'／' (U+FF0F); type the ASCII '/'"),
        ("openai/m@http://h：8000/v1", "'：' (U+FF1A)"),
        ("anthropic/m﹫http://h", "'﹫' (U+FE6B)"),
        ("openai/m@http:∕∕h", "(U+2215)"),
        ("openai/m@ http://h/v1", "white space"),
        ("openai/my model", "white space"),
        ("openai/my\u3000model@http://h/v1", "white space"),
        ("openai/m\u200b@http://h/v1", "U+200B"),
        ("openai/m@HTTP://h/v1", "small letters"),
        ("openai/m@ftp://h/v1", "NAME@http://host:port/v1"),
        ("openai/m@http:/h/v1", "NAME@http://host:port/v1"),
        ("openai/m@ｈttp:/h/v1", "NAME@http://host:port/v1"),
        ("openai/m@127.0.0.1:8000/v1", "NAME@http://host:port/v1"),
        ("openai/m@localhost", "NAME@http://host:port/v1"),
        ("lab/m@localhost:80", "NAME@http://host:port/v1"),
    ],
)
def test_mistyped_address_never_becomes_a_name_at_the_official_one(text, named):
    """Prompts went to the provider's own address, under a model name that held the user's server."""
    with pytest.raises(ConfigError) as caught:
        parse_spec(text)
    assert named in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "separate", "written"),
    [
        ("openai/m@http://h/v1/chat/completions", None, "leave out /chat/completions in the address"),
        ("openai/m", "http://h/v1/chat/completions/", "write http://h/v1"),
        ("openai/m@http://h/v1/responses", None, "write http://h/v1"),
        ("anthropic/m@http://h/v1/messages", None, "leave out /messages in the address"),
        ("anthropic/m", "http://h/v1/messages", "write http://h/v1"),
        ("openai/x@", None, "nothing stands behind the @"),
    ],
)
def test_a_whole_url_in_place_of_a_base_and_no_address_at_all_are_refused(text, separate, written):
    """The first answered 404 or 400 without a hint, the last was a model of the name ``x@``."""
    with pytest.raises(ConfigError) as caught:
        parse_spec(text, separate)
    assert written in str(caught.value)


@pytest.mark.parametrize("url", ["http://h:8/v1", "http://h:8/v1/", "http://h:8"])
def test_anthropic_takes_an_address_with_and_without_v1(url):
    """Its SDK adds ``/v1``, so that requests went to ``/v1/v1/messages``."""
    assert parse_spec(f"anthropic/m@{url}").base_url == "http://h:8"
    assert parse_spec("anthropic/m", url).base_url == "http://h:8"


def test_lookalike_in_a_separate_address_is_refused():
    with pytest.raises(ConfigError, match="U\\+FF1A"):
        parse_spec("openai/m", "http://h：8000/v1")


@pytest.mark.parametrize(
    "text",
    ["anthropic/claude-x@20990101", "openai/ft:m:org::id", "openai/小模型", "openai/http-m@http://h/v1"],
)
def test_ordinary_names_are_left_alone(text):
    assert parse_spec(text).text == text


def test_name_of_a_model_file_is_the_users_business():
    assert parse_spec("gguf/我的 模型：小（4 bit）.gguf").name == "我的 模型：小（4 bit）.gguf"


NAMES = st.from_regex(r"[a-z小][a-z0-9._模型-]{0,9}(/[a-z]{1,5})?(:[a-z0-9]{1,5})?", fullmatch=True)
FULL_WIDTH = {"@": "＠", ":": "：", "/": "／"}


@given(NAMES, st.integers(1, 65535), st.data())
def test_any_full_width_sign_in_an_address_is_refused_by_name(name, port, data):
    text = f"openai/{name}@http://host:{port}/v1"
    assert parse_spec(text).base_url == f"http://host:{port}/v1"
    place = data.draw(st.sampled_from([at for at, sign in enumerate(text) if sign in FULL_WIDTH]))
    broken = f"{text[:place]}{FULL_WIDTH[text[place]]}{text[place + 1 :]}"
    with pytest.raises(ConfigError) as caught:
        parse_spec(broken)
    assert f"{FULL_WIDTH[text[place]]!r} (U+" in str(caught.value)
    assert f"type the ASCII {text[place]!r}" in str(caught.value)


@given(NAMES, st.sampled_from(["http", "https"]), st.data())
def test_address_with_any_sign_lost_or_changed_is_not_a_name(name, scheme, data):
    address = f"@{scheme}://10.0.0.7:80/v1"
    place = data.draw(st.integers(0, len(scheme) + 3))
    other = data.draw(st.one_of(st.just(""), st.characters()))
    assume(other != address[place])
    text = f"openai/{name}{address[:place]}{other}{address[place + 1 :]}"
    try:
        spec = parse_spec(text)
    except ConfigError:
        return
    assert spec.base_url is not None, "taken for a name at the official address"


@given(st.sampled_from(["openai", "anthropic", "lab"]), st.text(max_size=40))
def test_what_is_accepted_as_a_name_holds_neither_space_nor_address(provider, rest):
    try:
        spec = parse_spec(f"{provider}/{rest}")
    except ConfigError as error:
        assert len(str(error).splitlines()) == 1
        return
    assert "://" not in spec.name
    assert not any(sign.isspace() or sign in "＠：／" for sign in spec.name)

from __future__ import annotations

from pathlib import Path

import pytest

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

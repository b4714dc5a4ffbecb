"""Spec strings: which provider, which model, where."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from salitrap.errors import ConfigError
from salitrap.providers.spec_signs import refuse_bad_name, refuse_lookalikes

FORMS = (
    "openai/NAME, openai/NAME@http://host/v1, anthropic/NAME, anthropic/NAME@http://host, "
    "gguf/PATH or lab/NAME"
)
RULES_SPEC = "rules"
"""Labels answers by rules, without any model: for the judge alone."""

DEFAULT_BASE_URLS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
DEFAULT_KEY_ENVS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


ENDINGS = {"openai": ("/chat/completions", "/completions", "/responses"), "anthropic": ("/messages",)}
"""What the providers' interfaces add to an address themselves, and people copy with it."""


class Provider(StrEnum):
    """Which interface an endpoint speaks; the lab and models in this process (gguf) speak OpenAI's.

    Rules speak none: nothing is ever sent to them.
    """

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    LAB = "lab"
    GGUF = "gguf"
    RULES = "rules"


FREE = frozenset({Provider.LAB, Provider.GGUF, Provider.RULES})
"""Providers on the user's own machine, which cost nothing."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A parsed spec. ``base_url`` is None for a provider's own address, for the lab and for a model file.

    ``text`` is the spec as it is recorded. Of a model file it keeps the name only, since a path tells
    about the machine; ``path`` is the path as written, None for all others.
    """

    text: str
    provider: Provider
    name: str
    base_url: str | None = None
    path: Path | None = None

    @property
    def short(self) -> str:
        """``provider/NAME``, without address; the rules have one name."""
        return self.name if self.provider is Provider.RULES else f"{self.provider.value}/{self.name}"

    @property
    def key_env(self) -> str | None:
        """Environment variable that holds the key unless settings name another one.

        None for the lab, a model file and an explicit address: a provider's key is never sent to a host
        that was not told to get it.
        """
        return None if self.base_url is not None else DEFAULT_KEY_ENVS.get(self.provider.value)


def parse_spec(text: str, base_url: str | None = None) -> ModelSpec:
    """Parse ``text``; ``base_url`` is the endpoint's separate setting, if any.

    Names may contain slashes and colons (``openai/org/name:tag@http://host/v1``).

    Raises:
        ConfigError: the form is unknown, the name holds what looks like an address or a sign of one, the
            address is unusable or goes on after its base, or two addresses disagree.
    """
    if text == RULES_SPEC and base_url is None:
        return ModelSpec(text=text, provider=Provider.RULES, name=RULES_SPEC)
    head, _, rest = text.partition("/")
    is_file = head == Provider.GGUF
    refuse_lookalikes(text, "" if is_file else text, base_url or "")
    provider = _provider(text, head)
    name, url = _split_address(rest)
    if not name or name != name.strip():
        raise ConfigError(f"spec {text!r} names no model; write {FORMS}")
    url = _base(text, provider, _one_address(text, url, base_url))
    if not is_file:
        refuse_bad_name(text, name, addressed=url is not None)
    if provider in FREE and url is not None:
        raise ConfigError(
            f"spec {text!r}: {provider.value}/ takes no address; for a model served elsewhere write "
            "openai/NAME@http://host:port/v1"
        )
    if provider is Provider.GGUF:
        return _model_file(text, Path(name))
    return ModelSpec(text=text, provider=provider, name=name, base_url=url)


def _provider(text: str, head: str) -> Provider:
    if head == Provider.RULES:
        raise ConfigError(f"spec {text!r}: the rules have no name and no address; write {RULES_SPEC}")
    if head not in {provider.value for provider in Provider}:
        raise ConfigError(f"spec {text!r} is not understood; write {FORMS}")
    return Provider(head)


def _model_file(text: str, path: Path) -> ModelSpec:
    if path.name in ("", ".."):
        raise ConfigError(f"spec {text!r} names no file; write gguf/PATH, such as gguf/models/NAME.gguf")
    return ModelSpec(text=f"gguf/{path.name}", provider=Provider.GGUF, name=path.name, path=path)


def _split_address(rest: str) -> tuple[str, str | None]:
    for scheme in ("@http://", "@https://"):
        at = rest.find(scheme)
        if at >= 0:
            return rest[:at], rest[at + 1 :]
    return rest, None


def _one_address(text: str, in_spec: str | None, separate: str | None) -> str | None:
    if in_spec and separate and in_spec.rstrip("/") != separate.rstrip("/"):
        raise ConfigError(f"spec {text!r} and base_url {separate!r} name two addresses; keep one")
    url = in_spec or separate
    return None if url is None else _checked(text, url.rstrip("/"))


def _base(text: str, provider: Provider, url: str | None) -> str | None:
    """The address that paths are added to. Anthropic's paths begin with ``/v1``, so it is taken off there."""
    for ending in ENDINGS.get(provider.value, ()):
        if url is not None and url.endswith(ending):
            base = url.removesuffix(ending)
            raise ConfigError(f"spec {text!r}: leave out {ending} in the address, it is added; write {base}")
    return url.removesuffix("/v1") if url is not None and provider is Provider.ANTHROPIC else url


def _checked(text: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"spec {text!r}: the address must look like http://host:port/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigError(
            "an endpoint's address must not carry a user, a password or a query; give the key by "
            "environment variable (api_key_env in the settings, or --key-env)"
        )
    return url

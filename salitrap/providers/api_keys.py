"""Keys: read once from the environment, never written anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType

from salitrap.errors import ConfigError
from salitrap.providers.key_spellings import Spelling, folded, spellings_of

NO_KEY = "not-needed"
KEY_NAMED_BY = "name its variable by api_key_env in the settings, or --key-env"
_SHORTEST_SECRET = 6
_LONGEST_PLACEHOLDER = 12
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Redactor:
    """Replaces known keys in any text that could leave the process.

    A key is found as it is, split over lines, escaped (JSON, URL, HTML), in base64, and cut off behind
    its first dozen signs.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        worth = {secret for secret in secrets if _is_secret(secret)}
        self._secrets = sorted(worth, key=lambda secret: (-len(secret), secret))
        self._spellings: list[Spelling] = [way for secret in self._secrets for way in spellings_of(secret)]

    def clean(self, text: str) -> str:
        """Return ``text`` with every key replaced by ``[key]``."""
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        plain = folded(text) if self._spellings else ""
        for spelling in self._spellings:
            if spelling.head in plain:
                text = spelling.blanked(text)
        return text

    def scrub(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clean the messages of an exception and of those behind it; to be called on the way out."""
        for found in _chain(error):
            found.args = tuple(self.clean(part) if isinstance(part, str) else part for part in found.args)

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} keys)"


def _is_secret(key: str) -> bool:
    """False for what servers that need no key are told: ``ollama``, ``secret``, ``123456``.

    Blanking such a word out would change answers that happen to hold it.
    """
    plain = len(key) < _LONGEST_PLACEHOLDER and (key.isalpha() or key.isdecimal())
    return len(key) >= _SHORTEST_SECRET and not plain


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """``error``, its causes and contexts, and the members of groups, each once."""
    waiting, seen = [error], set[int]()
    while waiting:
        found = waiting.pop()
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        waiting += [found.__cause__, found.__context__]
        waiting += found.exceptions if isinstance(found, BaseExceptionGroup) else ()


def read_key(environment: Mapping[str, str], variable: str | None, spec: str) -> str:
    """Return the key of an endpoint, or ``NO_KEY`` when it needs none.

    Raises:
        ConfigError: the variable is unset or blank, is no name (then it may be the key itself, and is not
            shown), or its value cannot be a header.
    """
    if variable is None:
        return NO_KEY
    if _VARIABLE.fullmatch(variable) is None:
        raise ConfigError(
            f"endpoint {spec}: the key must be given by the name of an environment variable, and what stands "
            "there is none; write a name such as MY_KEY (api_key_env in the settings, or --key-env)"
        )
    key = environment.get(variable, "").strip()
    if not key:
        raise ConfigError(
            f"endpoint {spec}: environment variable {variable} is not set; export the key under that "
            "name, or name another variable (api_key_env in the settings, or --key-env)"
        )
    if not key.isascii() or not key.isprintable():
        raise ConfigError(
            f"endpoint {spec}: the value of {variable} holds characters no key has; set it again"
        )
    return key

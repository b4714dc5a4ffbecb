"""Keys: read once from the environment, never written anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from salitrap.errors import ConfigError

NO_KEY = "not-needed"
KEY_NAMED_BY = "name its variable by api_key_env in the settings, or --key-env"
_SHORTEST_SECRET = 6


class Redactor:
    """Replaces known keys in any text that could leave the process."""

    def __init__(self, secrets: Iterable[str]) -> None:
        worth = {secret for secret in secrets if len(secret) >= _SHORTEST_SECRET}
        self._secrets = sorted(worth, key=lambda secret: (-len(secret), secret))

    def clean(self, text: str) -> str:
        """Return ``text`` with every key replaced by ``[key]``."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, "[key]")
        return text

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} keys)"


def read_key(environment: Mapping[str, str], variable: str | None, spec: str) -> str:
    """Return the key of an endpoint, or ``NO_KEY`` when it needs none.

    Raises:
        ConfigError: the variable is unset or blank, or its value cannot be a header.
    """
    if variable is None:
        return NO_KEY
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

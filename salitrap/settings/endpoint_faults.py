"""What an endpoint cannot be told about how it is reached; nothing here shows a value, it may be a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import SplitResult, unquote, urlsplit

from salitrap.providers.spec import FREE, Provider
from salitrap.settings.endpoints import EndpointSettings

NOT_ON_THIS_MACHINE = ("proxy", "ca", "rpm", "tpm", "batch")
FORM = "write http://host:port or https://host:port, or $NAME for an environment variable that holds it"
KEPT_OUT = (
    "holds a user or a password, which must not stand in a file; put the whole address into an environment "
    "variable and write its name, such as $CORP_PROXY"
)
NO_NAME = (
    "must be the name of an environment variable, such as MY_KEY; if the key itself stands there, take it "
    "out of the file and export it under a name"
)
PROXY_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
CACHED_ABOVE_INPUT = (
    "is above price_input, so a budget that counts input could be exceeded; give price_input the higher price"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def endpoint_faults(endpoint: EndpointSettings, provider: Provider) -> Iterator[tuple[str, str]]:
    """Yield field and sentence for what an endpoint cannot be told; values are never shown."""
    if endpoint.api_key_env is not None and not _NAME.fullmatch(endpoint.api_key_env):
        yield "api_key_env", NO_NAME
    if _cached_above_input(endpoint):
        yield "price_cached_input", CACHED_ABOVE_INPUT
    if endpoint.sha256 is not None and provider is not Provider.GGUF:
        yield "sha256", "is for the file of a gguf/PATH spec; leave it out here"
    if provider in FREE:
        for name in NOT_ON_THIS_MACHINE:
            if getattr(endpoint, name):
                yield name, f"{provider.value}/ specs run on this machine and take no {name}; leave it out"
    elif endpoint.proxy is not None and not PROXY_VARIABLE.fullmatch(endpoint.proxy):
        if "@" in endpoint.proxy:
            yield "proxy", KEPT_OUT
        elif proxy_parts(endpoint.proxy) is None:
            yield "proxy", f"is no address of a proxy; {FORM}"


def _cached_above_input(endpoint: EndpointSettings) -> bool:
    cached, whole = endpoint.price_cached_input, endpoint.price_input
    return cached is not None and whole is not None and cached > whole


def proxy_parts(address: str) -> SplitResult | None:
    """The address in its parts; None when it cannot be used."""
    if not (address.isascii() and address.isprintable()) or " " in address:
        return None
    try:
        parts = urlsplit(address)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return None
    beyond = parts.path not in ("", "/") or parts.query or parts.fragment
    return parts if whole and not beyond and _can_travel(parts) else None


def _can_travel(parts: SplitResult) -> bool:
    """True when a header can carry the user and the password, if there are any."""
    login = login_of(parts)
    if login is None:
        return True
    sendable = all(sign.isprintable() and ord(sign) < 256 for sign in "".join(login))
    return sendable and ":" not in login[0]


def login_of(parts: SplitResult) -> tuple[str, str] | None:
    """User and password in an address, as they are without its escapes; None when it has none."""
    if parts.username is None:
        return None
    return unquote(parts.username), unquote(parts.password or "")

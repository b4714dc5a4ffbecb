"""How one endpoint is reached: through which proxy, trusting which certificates."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit

from salitrap.errors import ConfigError
from salitrap.providers.spec import FREE, Provider
from salitrap.settings.model import EndpointSettings, Settings

NOT_ON_THIS_MACHINE = ("proxy", "ca", "rpm", "tpm", "batch")
FORM = "write http://host:port or https://host:port, or $NAME for an environment variable that holds it"
KEPT_OUT = (
    "holds a user or a password, which must not stand in a file; put the whole address into an environment "
    "variable and write its name, such as $CORP_PROXY"
)
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Network:
    """``proxy`` is scheme, host and port, ``login`` its user and password, ``ca`` a PEM file.

    All are None where the environment and the system decide. No representation shows the login.
    """

    proxy: str | None = None
    login: tuple[str, str] | None = None
    ca: Path | None = None

    @property
    def secrets(self) -> list[str]:
        """What must appear nowhere: the password, also as in an address, and the login as it travels."""
        if self.login is None:
            return []
        pair = ":".join(self.login)
        coded = base64.b64encode(pair.encode("latin-1")).decode()
        return [self.login[1], quote(self.login[1], safe=""), pair, coded]

    def __repr__(self) -> str:
        return f"Network(proxy={self.proxy!r}, ca={self.ca!r})"


def network_faults(endpoint: EndpointSettings, provider: Provider) -> Iterator[tuple[str, str]]:
    """Yield field and sentence for what an endpoint cannot be told; values are never shown."""
    if provider in FREE:
        for name in NOT_ON_THIS_MACHINE:
            if getattr(endpoint, name):
                yield name, f"{provider.value}/ specs run on this machine and take no {name}; leave it out"
    elif endpoint.proxy is not None and not _VARIABLE.fullmatch(endpoint.proxy):
        if "@" in endpoint.proxy:
            yield "proxy", KEPT_OUT
        elif _parts(endpoint.proxy) is None:
            yield "proxy", f"is no address of a proxy; {FORM}"


def network_of(
    endpoint: EndpointSettings, provider: Provider, environment: Mapping[str, str], where: str
) -> Network:
    """Return how ``endpoint`` is reached; ``where`` names it in errors.

    Raises:
        ConfigError: a setting is not for this spec, or ``proxy`` neither is an address nor names a variable
            that holds one.
    """
    for field, sentence in network_faults(endpoint, provider):
        raise ConfigError(f"{where}: {field}: {sentence}")
    ca = None if endpoint.ca is None else Path(endpoint.ca).expanduser().absolute()
    if endpoint.proxy is None:
        return Network(ca=ca)
    named = _VARIABLE.fullmatch(endpoint.proxy)
    address = endpoint.proxy if named is None else _value(environment, named[1], where)
    parts = _parts(address)
    if parts is None:
        raise ConfigError(
            f"{where}: proxy: the value of {endpoint.proxy} is no address of a proxy; set it to "
            "http://user:password@host:port, with %40 %3A %2F %23 for @ : / # in user and password"
        )
    return Network(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", _login(parts), ca)


def places_of(settings: Settings) -> dict[EndpointSettings, str]:
    """Every endpoint and where the settings name it first, as ``roles.solver.endpoints[0]``."""
    places: dict[EndpointSettings, str] = {}
    for role, pool in settings.roles.items():
        for place, endpoint in enumerate(pool.endpoints):
            places.setdefault(endpoint, f"roles.{role.value}.endpoints[{place}]")
    return places


def _value(environment: Mapping[str, str], variable: str, where: str) -> str:
    value = environment.get(variable, "").strip()
    if not value:
        raise ConfigError(
            f"{where}: proxy: environment variable {variable} is not set; export the proxy's address under "
            "that name, or leave the setting out"
        )
    return value


def _parts(address: str) -> SplitResult | None:
    """The address in its parts; None when it cannot be used."""
    if not (address.isascii() and address.isprintable()) or " " in address:
        return None
    try:
        parts = urlsplit(address)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return None
    beyond = parts.path not in ("", "/") or parts.query or parts.fragment
    return parts if whole and not beyond and _is_login(parts) else None


def _is_login(parts: SplitResult) -> bool:
    """True when a header can carry the user and the password, if there are any."""
    login = _login(parts)
    if login is None:
        return True
    sendable = all(sign.isprintable() and ord(sign) < 256 for sign in "".join(login))
    return sendable and ":" not in login[0]


def _login(parts: SplitResult) -> tuple[str, str] | None:
    if parts.username is None:
        return None
    return unquote(parts.username), unquote(parts.password or "")

"""How one endpoint is reached: through which proxy, trusting which certificates."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from salitrap.errors import ConfigError
from salitrap.providers.spec import ModelSpec, Provider
from salitrap.providers.wire.certificates import check_ca
from salitrap.settings.endpoint_faults import PROXY_VARIABLE, endpoint_faults, login_of, proxy_parts
from salitrap.settings.endpoints import EndpointSettings
from salitrap.settings.model import Settings


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


def network_of(
    endpoint: EndpointSettings, provider: Provider, environment: Mapping[str, str], where: str
) -> Network:
    """Return how ``endpoint`` is reached; ``where`` names it in errors.

    Raises:
        ConfigError: a setting is not for this spec, or ``proxy`` neither is an address nor names a variable
            that holds one.
    """
    for field, sentence in endpoint_faults(endpoint, provider):
        raise ConfigError(f"{where}: {field}: {sentence}")
    ca = None if endpoint.ca is None else Path(endpoint.ca).expanduser().absolute()
    if endpoint.proxy is None:
        return Network(ca=ca)
    named = PROXY_VARIABLE.fullmatch(endpoint.proxy)
    address = endpoint.proxy if named is None else _value(environment, named[1], where)
    parts = proxy_parts(address)
    if parts is None:
        raise ConfigError(
            f"{where}: proxy: the value of {endpoint.proxy} is no address of a proxy; set it to "
            "http://user:password@host:port, with %40 %3A %2F %23 for @ : / # in user and password"
        )
    return Network(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", login_of(parts), ca)


def checked_network(
    endpoint: EndpointSettings, spec: ModelSpec, environment: Mapping[str, str], where: str
) -> Network:
    """Return how ``endpoint`` is reached, its file of certificates read once; ``where`` is its place.

    Raises:
        ConfigError: as ``network_of`` says, or the ``ca`` file cannot be used.
    """
    named = f"{where} ({spec.text})"
    network = network_of(endpoint, spec.provider, environment, named)
    if network.ca is not None:
        check_ca(network.ca, f"{named}: ca")
    return network


def places_of(settings: Settings) -> dict[EndpointSettings, str]:
    """Every endpoint and where the settings name it first, as ``roles.solver.endpoints[0]``."""
    places: dict[EndpointSettings, str] = {}
    for role, pool in settings.roles.items():
        for place, endpoint in enumerate(pool.endpoints):
            places.setdefault(endpoint, f"roles.{role.value}.endpoints[{place}]")
    meaning = settings.scale.similarity.meaning
    if meaning is not None:
        places.setdefault(meaning.endpoint, "scale.similarity.meaning.endpoint")
    return places


def _value(environment: Mapping[str, str], variable: str, where: str) -> str:
    value = environment.get(variable, "").strip()
    if not value:
        raise ConfigError(
            f"{where}: proxy: environment variable {variable} is not set; export the proxy's address under "
            "that name, or leave the setting out"
        )
    return value

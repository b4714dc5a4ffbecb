"""From settings to pools of connected endpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from salitrap.errors import ConfigError
from salitrap.lab.gold import gold_digest
from salitrap.providers.api_keys import NO_KEY, Redactor, read_key
from salitrap.providers.batch.limiter import BatchLimiter
from salitrap.providers.batch.office import BatchOffice
from salitrap.providers.endpoint import Endpoint, Quirks
from salitrap.providers.network import Network, checked_network, places_of
from salitrap.providers.pacing.limiter import Limiter
from salitrap.providers.pacing.retry import Pacing
from salitrap.providers.pool import Pool
from salitrap.providers.spec import DEFAULT_BASE_URLS, ModelSpec, Provider, parse_spec
from salitrap.providers.wire.gguf_file import as_served, check_endpoints, file_digest, local_path
from salitrap.providers.wire.interface import Wire
from salitrap.providers.wire.no_wire import NoWire
from salitrap.records.enums import Role
from salitrap.settings.endpoints import EndpointSettings, GgufSettings
from salitrap.settings.model import LabSettings, Settings


@dataclass(frozen=True, slots=True)
class Site:
    """A checked endpoint before it is connected; the key is kept out of every representation."""

    spec: ModelSpec
    key_env: str | None
    key: str
    network: Network

    def __repr__(self) -> str:
        return f"Site({self.spec.text})"


@dataclass(frozen=True, slots=True)
class Blueprint:
    """All endpoints of a run, checked."""

    sites: Mapping[EndpointSettings, Site]

    @property
    def needs_lab(self) -> bool:
        """True when an endpoint is the lab."""
        return any(site.spec.provider is Provider.LAB for site in self.sites.values())

    @property
    def secrets(self) -> list[str]:
        """Every key and every proxy's password in use."""
        keys = [site.key for site in self.sites.values() if site.key != NO_KEY]
        return keys + [secret for site in self.sites.values() for secret in site.network.secrets]


def blueprint_of(settings: Settings, environment: Mapping[str, str]) -> Blueprint:
    """Check all endpoints and read their keys; nothing is started or sent.

    Raises:
        ConfigError: a spec is not understood, rules are to do anything but judge, a key is missing, or a
            model file, proxy or ``ca`` file cannot be used.
    """
    places = places_of(settings)
    _refuse_rules_elsewhere(settings)
    check_endpoints(places)
    return Blueprint({endpoint: _site(endpoint, environment, where) for endpoint, where in places.items()})


def _refuse_rules_elsewhere(settings: Settings) -> None:
    for role, pool in settings.roles.items():
        rules = any(parse_spec(one.spec, one.base_url).provider is Provider.RULES for one in pool.endpoints)
        if rules and role is not Role.JUDGE:
            raise ConfigError(
                f"spec rules: rules judge and do nothing else; name a model for the {role.value}"
            )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all endpoints of a run share; ``lab_url`` is None where no lab is needed."""

    lab: LabSettings
    lab_url: str | None
    redactor: Redactor
    pacing: Pacing
    batches: BatchOffice


def connect(
    plan: Blueprint, settings: Settings, around: Surroundings, stack: AsyncExitStack
) -> dict[Role, Pool]:
    """Return the pools; clients are closed with ``stack``. Equal endpoints are one endpoint.

    Raises:
        ConfigError: a model file cannot be loaded.
    """
    wires: dict[tuple[str, str, str, Network, GgufSettings | None], Wire] = {}
    endpoints: dict[EndpointSettings, Endpoint] = {}
    for given, site in plan.sites.items():
        served = as_served(given, site.spec)
        address = _address(site.spec, around.lab_url)
        shared = (site.spec.provider.value, address, site.key, site.network, served.gguf)
        if shared not in wires:
            wires[shared] = _wire(site, address, around.redactor, served.gguf)
            stack.push_async_callback(wires[shared].close)
        wire = wires[shared]
        if given.batch:
            wire = around.batches.wire(site.spec.provider, address, wire)
        endpoints[given] = _endpoint(served, site, address, wire, around)
    return {
        role: Pool(chosen, tuple(endpoints[given] for given in chosen.endpoints))
        for role, chosen in settings.roles.items()
    }


def _site(endpoint: EndpointSettings, environment: Mapping[str, str], where: str) -> Site:
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    key_env = None if spec.provider is Provider.GGUF else endpoint.api_key_env or spec.key_env
    network = checked_network(endpoint, spec, environment, where)
    return Site(spec, key_env, read_key(environment, key_env, spec.text), network)


def _endpoint(
    given: EndpointSettings, site: Site, address: str, wire: Wire, around: Surroundings
) -> Endpoint:
    is_openai = site.spec.provider is Provider.OPENAI and site.spec.base_url is None
    return Endpoint(
        settings=given,
        spec=site.spec,
        identity=_identity(given, site.spec, around.lab, address),
        address=site.spec.provider.value if site.spec.provider is Provider.LAB else address,
        wire=wire,
        limiter=_limiter(given, around.pacing),
        quirks=Quirks(token_parameter="max_completion_tokens" if is_openai else "max_tokens"),
        key_env=site.key_env,
    )


def _limiter(given: EndpointSettings, pacing: Pacing) -> Limiter:
    return (
        BatchLimiter(pacing)
        if given.batch
        else Limiter(given.in_flight, pacing, rpm=given.rpm, tpm=given.tpm)
    )


def _identity(given: EndpointSettings, spec: ModelSpec, lab: LabSettings, address: str) -> str:
    """What the endpoint is for the call key.

    The lab's port changes, its seed, faults and gold answers do not; a model file is its name and content.
    """
    if spec.provider is Provider.LAB:
        known = f" gold={gold_digest(lab.gold)}" if lab.gold is not None else ""
        return f"{spec.text} seed={lab.seed} faults={json.dumps(lab.faults, sort_keys=True)}{known}"
    if spec.provider is Provider.GGUF:
        return f"{spec.text} {address}"
    return f"{spec.text}@{given.base_url}" if given.base_url else spec.text


def _address(spec: ModelSpec, lab_url: str | None) -> str:
    if spec.provider is Provider.LAB:
        assert lab_url is not None
        return lab_url
    if spec.provider is Provider.GGUF:
        return f"sha256:{file_digest(spec)}"
    if spec.provider is Provider.RULES:
        return spec.text
    return spec.base_url or DEFAULT_BASE_URLS[spec.provider.value]


def _wire(site: Site, address: str, redactor: Redactor, serving: GgufSettings | None) -> Wire:
    if serving is not None:
        from salitrap.providers.wire.gguf_wire import GgufWire

        return GgufWire(local_path(site.spec), serving)
    if site.spec.provider is Provider.RULES:
        return NoWire()
    if site.spec.provider is Provider.ANTHROPIC:
        from salitrap.providers.wire.anthropic_wire import AnthropicWire

        return AnthropicWire(address, site.key, redactor, site.network)
    from salitrap.providers.wire.openai_wire import OpenAIWire

    return OpenAIWire(address, site.key, redactor, site.network)

"""From settings to pools of connected endpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from salitrap.providers.api_keys import NO_KEY, Redactor, read_key
from salitrap.providers.endpoint import Endpoint, Quirks
from salitrap.providers.pacing.limiter import Limiter
from salitrap.providers.pool import Pool
from salitrap.providers.spec import DEFAULT_BASE_URLS, ModelSpec, Provider, parse_spec
from salitrap.providers.wire.gguf_file import as_served, check_endpoints, file_digest, local_path
from salitrap.providers.wire.interface import Wire
from salitrap.records.enums import Role
from salitrap.settings.model import EndpointSettings, GgufSettings, LabSettings, Settings


@dataclass(frozen=True, slots=True)
class Site:
    """A checked endpoint before it is connected; the key is kept out of every representation."""

    spec: ModelSpec
    key_env: str | None
    key: str

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
        """Every key in use."""
        return [site.key for site in self.sites.values() if site.key != NO_KEY]


def blueprint_of(settings: Settings, environment: Mapping[str, str]) -> Blueprint:
    """Check all endpoints and read their keys; nothing is started or sent.

    Raises:
        ConfigError: a spec is not understood, a key is missing, or a model file cannot be used.
    """
    endpoints = [endpoint for role in settings.roles.values() for endpoint in role.endpoints]
    check_endpoints(endpoints)
    return Blueprint({endpoint: _site(endpoint, environment) for endpoint in endpoints})


def connect(
    plan: Blueprint, settings: Settings, lab_url: str | None, redactor: Redactor, stack: AsyncExitStack
) -> dict[Role, Pool]:
    """Return the pools; clients are closed with ``stack``. Equal endpoints are one endpoint.

    Raises:
        ConfigError: a model file cannot be loaded.
    """
    wires: dict[tuple[str, str, str, GgufSettings | None], Wire] = {}
    endpoints: dict[EndpointSettings, Endpoint] = {}
    for given, site in plan.sites.items():
        served = as_served(given, site.spec)
        address = _address(site.spec, lab_url)
        shared = (site.spec.provider.value, address, site.key, served.gguf)
        if shared not in wires:
            wires[shared] = _wire(site, address, redactor, served.gguf)
            stack.push_async_callback(wires[shared].close)
        endpoints[given] = _endpoint(served, site, address, wires[shared], settings.lab)
    return {
        role: Pool(chosen, tuple(endpoints[given] for given in chosen.endpoints))
        for role, chosen in settings.roles.items()
    }


def _site(endpoint: EndpointSettings, environment: Mapping[str, str]) -> Site:
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    key_env = None if spec.provider is Provider.GGUF else endpoint.api_key_env or spec.key_env
    return Site(spec, key_env, read_key(environment, key_env, spec.text))


def _endpoint(given: EndpointSettings, site: Site, address: str, wire: Wire, lab: LabSettings) -> Endpoint:
    is_openai = site.spec.provider is Provider.OPENAI and site.spec.base_url is None
    return Endpoint(
        settings=given,
        spec=site.spec,
        identity=_identity(given, site.spec, lab, address),
        address=site.spec.provider.value if site.spec.provider is Provider.LAB else address,
        wire=wire,
        limiter=Limiter(given.in_flight),
        quirks=Quirks(token_parameter="max_completion_tokens" if is_openai else "max_tokens"),
        key_env=site.key_env,
    )


def _identity(given: EndpointSettings, spec: ModelSpec, lab: LabSettings, address: str) -> str:
    """What the endpoint is for the call key.

    The lab's port changes, its seed and faults do not; a model file is its name and its content.
    """
    if spec.provider is Provider.LAB:
        return f"{spec.text} seed={lab.seed} faults={json.dumps(lab.faults, sort_keys=True)}"
    if spec.provider is Provider.GGUF:
        return f"{spec.text} {address}"
    return f"{spec.text}@{given.base_url}" if given.base_url else spec.text


def _address(spec: ModelSpec, lab_url: str | None) -> str:
    if spec.provider is Provider.LAB:
        assert lab_url is not None
        return lab_url
    if spec.provider is Provider.GGUF:
        return f"sha256:{file_digest(spec)}"
    return spec.base_url or DEFAULT_BASE_URLS[spec.provider.value]


def _wire(site: Site, address: str, redactor: Redactor, serving: GgufSettings | None) -> Wire:
    if serving is not None:
        from salitrap.providers.wire.gguf_wire import GgufWire

        return GgufWire(local_path(site.spec), serving)
    if site.spec.provider is Provider.ANTHROPIC:
        from salitrap.providers.wire.anthropic_wire import AnthropicWire

        return AnthropicWire(address, site.key, redactor)
    from salitrap.providers.wire.openai_wire import OpenAIWire

    return OpenAIWire(address, site.key, redactor)

"""How many calls a role has under way, and how many seconds one is assumed to take. Nothing is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from enum import StrEnum

from salitrap.plan import RolePlan
from salitrap.providers.spec import Provider, parse_spec
from salitrap.providers.wire.gguf_file import as_served, local_path
from salitrap.records.enums import Role
from salitrap.settings.endpoints import EndpointSettings, Policy, RoleSettings
from salitrap.settings.model import Settings

LATENCY: dict[Role, float] = {
    Role.GENERATOR: 20.0,
    Role.WRITER: 6.0,
    Role.CHECKER: 4.0,
    Role.SOLVER: 20.0,
    Role.JUDGE: 5.0,
}
"""Assumed seconds a call of a hosted model."""

LAB_LATENCY = 0.25
"""Assumed seconds a call of the lab when it is busy, to which ``lab.latency`` is added."""

LOCAL_READING, LOCAL_WRITING = 20.0, 6.0
"""Assumed tokens a second that each slot of a local model reads and writes while all are busy: those of
1.5 billion parameters in 4 bits, in 2 slots on 2 CPUs. Every reply is taken to be ``max_tokens`` long."""


LONGEST_BATCH = 86_400.0
"""Seconds within which providers promise to be done with a batch."""


class Basis(StrEnum):
    """Where the seconds of a call come from."""

    GIVEN = "given"
    HOSTED = "hosted"
    LOCAL = "local"
    LAB = "lab"
    BATCH = "batch"


def seconds_a_call(plan: RolePlan, settings: Settings) -> tuple[float, Basis]:
    """Assumed seconds of one call, of the slowest endpoint in use, and what the assumption is about."""
    used = in_use(settings.roles[plan.role])
    return max((_seconds(plan, settings, endpoint) for endpoint in used), key=lambda found: found[0])


def calls_at_once(pool: RoleSettings) -> int:
    """Calls that the endpoints in use take at once when each gets the same share of them.

    A model file takes one a slot, however many endpoints of the pool name it.
    """
    used = in_use(pool)
    shares = Counter(_server(endpoint) for endpoint in used)
    slots = {_server(endpoint): _slots(endpoint) for endpoint in used}
    return max(1, min(slots[server] * len(used) // share for server, share in shares.items()))


def in_use(pool: RoleSettings) -> Sequence[EndpointSettings]:
    """Endpoints that serve when nothing fails: all of them by turns, or the first."""
    return pool.endpoints if pool.policy is Policy.ROUND_ROBIN else pool.endpoints[:1]


def _seconds(plan: RolePlan, settings: Settings, endpoint: EndpointSettings) -> tuple[float, Basis]:
    if endpoint.batch:
        return LONGEST_BATCH, Basis.BATCH
    provider = parse_spec(endpoint.spec, endpoint.base_url).provider
    if provider is Provider.LAB:
        return LAB_LATENCY + settings.lab.latency, Basis.LAB
    if provider is not Provider.GGUF:
        return LATENCY[plan.role], Basis.HOSTED
    prompt = plan.input_high / plan.calls_high if plan.calls_high else 0.0
    seconds = prompt / LOCAL_READING + settings.roles[plan.role].max_tokens / LOCAL_WRITING
    return max(1.0, float(round(seconds))), Basis.LOCAL


def _server(endpoint: EndpointSettings) -> Hashable:
    """What takes the calls: a loaded model file, or the endpoint itself."""
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if spec.provider is not Provider.GGUF:
        return endpoint
    return local_path(spec).resolve(), as_served(endpoint, spec).gguf


def _slots(endpoint: EndpointSettings) -> int:
    return as_served(endpoint, parse_spec(endpoint.spec, endpoint.base_url)).in_flight

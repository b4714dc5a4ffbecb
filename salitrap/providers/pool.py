"""The endpoints of a role and the order in which a call may use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from salitrap.providers.endpoint import Endpoint
from salitrap.settings.endpoints import Policy, RoleSettings


@dataclass(frozen=True, slots=True)
class Pool:
    """A role's endpoints.

    Round robin: the slot alone picks the endpoint, so an answer is never attributed to another
    model than planned. Failover: all endpoints, in the order of the settings.
    """

    settings: RoleSettings
    endpoints: tuple[Endpoint, ...]

    def choices(self, slot: int) -> tuple[Endpoint, ...]:
        """Endpoints that may serve a call, in order of preference."""
        if self.settings.policy is Policy.ROUND_ROBIN:
            return (self.endpoints[slot % len(self.endpoints)],)
        return self.endpoints

    def others_open(self, choices: Sequence[Endpoint], now: float) -> bool:
        """True when an endpoint of the role beside ``choices`` takes calls at monotonic time ``now``."""
        return any(other not in choices and other.shut(now) is None for other in self.endpoints)

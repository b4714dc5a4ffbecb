"""The endpoints of a role and the order in which a call may use them."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.providers.endpoint import Endpoint
from salitrap.settings.model import Policy, RoleSettings


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

    def others_open(self, endpoint: Endpoint, now: float) -> bool:
        """True when some other endpoint of the role still takes calls at monotonic time ``now``."""
        return any(
            other is not endpoint and other.closed is None and other.paused_until <= now
            for other in self.endpoints
        )

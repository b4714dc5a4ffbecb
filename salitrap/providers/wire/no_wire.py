"""The end of an endpoint that is never asked: the rules, which label without any call."""

from __future__ import annotations

from salitrap.errors import ConfigError
from salitrap.providers.wire.interface import WireReply, WireRequest


class NoWire:
    """Leads nowhere."""

    async def send(self, request: WireRequest) -> WireReply:
        """Refuse.

        Raises:
            ConfigError: always.
        """
        raise ConfigError(f"spec {request.model}: it labels answers and cannot be asked anything")

    async def close(self) -> None:
        """Nothing is open."""

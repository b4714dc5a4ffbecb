"""What to do about a model in this process that fails: it has no address, no key and no service to check."""

from __future__ import annotations

from salitrap.providers.spec import ModelSpec, Provider
from salitrap.providers.wire.failure_kinds import Kind

MORE_TIME = (
    "Give it more time (attempt_timeout of the role or timeout of the endpoint, and limits.deadline above "
    "it) or less to do (max_tokens, gguf.slots, other programs on this machine)"
)
LESS_MEMORY = "See whether the memory is enough for it (lower gguf.context or gguf.slots)"


def local_advice(spec: ModelSpec, kind: Kind) -> str | None:
    """An instruction to put before "then run the same command again"; None for any other provider."""
    if spec.provider is not Provider.GGUF:
        return None
    return MORE_TIME if kind is Kind.TIMEOUT else LESS_MEMORY

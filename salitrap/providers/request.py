"""One model call as the caller means it, before an endpoint is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from salitrap.providers.access import ChatMessage, PromptRef
from salitrap.records.enums import Role


@dataclass(frozen=True, slots=True)
class CallRequest:
    """What to ask a role's pool.

    ``schema`` is the JSON schema of a structured reply, None for a bare message. ``root`` is the
    first call of a re-asked conversation: a reply that parsed is found again under its key.
    """

    role: Role
    messages: tuple[ChatMessage, ...]
    temperature: float
    max_tokens: int
    attempt_timeout: float
    prompt: PromptRef | None = None
    schema: Mapping[str, Any] | None = None
    slot: int = 0
    repeat: int = 0
    root: CallRequest | None = None

    @property
    def structured(self) -> bool:
        """True when the reply must still be parsed before it counts."""
        return self.prompt is not None

    @property
    def patient(self) -> bool:
        """True for repeats of an answer: nothing is decided before all are there, so others go first."""
        return self.repeat > 0 and self.role in (Role.SOLVER, Role.JUDGE)


def sendable(text: str) -> str:
    """Return ``text`` with lone surrogates replaced: no provider and no database takes them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text

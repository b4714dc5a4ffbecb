"""The one door to models. Stages get an ``Access`` as a parameter and know nothing behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from salitrap.records.enums import Language, Outcome, Role
from salitrap.records.provenance import Provenance

if TYPE_CHECKING:
    import dspy


@dataclass(frozen=True, slots=True)
class PromptRef:
    """Identity of the instructions a call used: ``id@version`` in one language, and its hash."""

    id: str
    version: int
    language: Language
    sha256: str

    def __str__(self) -> str:
        return f"{self.id}@{self.version}/{self.language.value}"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message; ``role`` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A parsed structured reply: output fields by name, and where they came from."""

    fields: Mapping[str, Any]
    raw: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Answered:
    """A solver's reply to one bare user message; ``outcome`` says whether it can be judged.

    ``default_temperature``: it was sent without a temperature, so the model's default applied.
    """

    outcome: Outcome
    text: str
    reasoning: str
    detail: str
    family: str
    provenance: Provenance
    default_temperature: bool = False


class Access(Protocol):
    """What a stage may do with models.

    Both methods journal every attempt, reuse a reply that parsed, and raise ``StoppedError`` (budget,
    key, endpoint) when the run as a whole cannot go on.
    """

    async def ask(
        self,
        role: Role,
        predict: dspy.Predict,
        inputs: Mapping[str, Any],
        prompt: PromptRef,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Asked:
        """Ask for structured output.

        ``slot`` picks the endpoint of a round-robin pool; ``repeat`` tells apart calls that are
        meant to be independent although everything else is equal.

        Raises:
            CallFailed: no parsable reply within attempts, deadline and re-asks.
            StoppedError: the run cannot go on.
        """
        ...

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        """Send ``message`` to a solver as the only user message, without a system prompt.

        Failed calls come back as an ``Answered`` whose outcome is not ok.

        Raises:
            StoppedError: the run cannot go on.
        """
        ...


@runtime_checkable
class Converses(Access, Protocol):
    """An ``Access`` that also holds conversations; dialogues need one."""

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        """Send a conversation that ends with the user to a solver, without a system prompt.

        Failed calls come back as an ``Answered`` whose outcome is not ok. A reply that was paid for is
        found again under all messages, the slot's endpoint and ``repeat``.

        Raises:
            StoppedError: the run cannot go on.
        """
        ...

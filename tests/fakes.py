"""A scripted ``Access`` for tests: no network, no journal, replies checked against the signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from salitrap.errors import CallFailed
from salitrap.providers.access import Answered, Asked, ChatMessage, PromptRef
from salitrap.records.enums import Outcome, Role
from salitrap.records.ids import canonical_json
from salitrap.records.provenance import Provenance

Reply = Mapping[str, Any] | Exception
Asks = Callable[[Role, str, Mapping[str, Any], int, int], Reply]
Answers = Callable[[str, int, int], "Answered | str | Exception"]
Talks = Callable[[Sequence[ChatMessage], int, int], "Answered | str | Exception"]


@dataclass(frozen=True, slots=True)
class Call:
    """One structured call as it came in; ``instructions`` are those of the Predict's signature."""

    role: Role
    prompt: PromptRef
    inputs: Mapping[str, Any]
    slot: int
    repeat: int
    instructions: str


class ScriptedAccess:
    """Answers from two functions and keeps what it was asked.

    ``asks(role, prompt_id, inputs, slot, repeat)`` gives the output fields, or an exception to raise
    (``CallFailed``, ``StoppedError``). Inputs must be the signature's input fields, replies are validated
    by its output annotations as a real adapter does; a reply that does not fit is a ``CallFailed``.
    ``answers(message, slot, repeat)`` gives the solver's text, an ``Answered``, or an exception;
    ``talks(messages, slot, repeat)`` does so for conversations.
    """

    def __init__(
        self, asks: Asks | None = None, answers: Answers | None = None, talks: Talks | None = None
    ) -> None:
        self._asks, self._answers, self._talks = asks, answers, talks
        self.calls: list[Call] = []
        self.conversations: list[tuple[tuple[ChatMessage, ...], int, int]] = []
        self.messages: list[tuple[str, int, int]] = []

    async def ask(
        self,
        role: Role,
        predict: Any,
        inputs: Mapping[str, Any],
        prompt: PromptRef,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Asked:
        signature = predict.signature
        assert set(inputs) == set(signature.input_fields), (prompt.id, sorted(inputs))
        assert self._asks is not None, "no script for structured calls"
        self.calls.append(Call(role, prompt, dict(inputs), slot, repeat, signature.instructions))
        reply = self._asks(role, prompt.id, inputs, slot, repeat)
        if isinstance(reply, Exception):
            raise reply
        return Asked(
            fields=_validated(signature, reply),
            raw=canonical_json(_plain(reply)),
            provenance=provenance_of(f"scripted/{role.value}", prompt),
        )

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        assert self._answers is not None, "no script for solver calls"
        self.messages.append((message, slot, repeat))
        reply = self._answers(message, slot, repeat)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Answered) else answered(reply)

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        assert self._talks is not None, "no script for conversations"
        self.conversations.append((tuple(messages), slot, repeat))
        reply = self._talks(messages, slot, repeat)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Answered) else answered(reply)


def answered(
    text: str = "", *, reasoning: str = "", outcome: Outcome = Outcome.OK, detail: str = ""
) -> Answered:
    """A solver's reply."""
    return Answered(outcome, text, reasoning, detail, "scripted", Provenance(model="scripted/solver"))


def provenance_of(model: str, prompt: PromptRef) -> Provenance:
    """Provenance of a structured call."""
    return Provenance(model=model, prompt=str(prompt), prompt_sha256=prompt.sha256)


def _validated(signature: Any, reply: Mapping[str, Any]) -> dict[str, Any]:
    fields = {}
    for name, info in signature.output_fields.items():
        try:
            value = reply[name] if name in reply or info.is_required() else info.default
            fields[name] = TypeAdapter(info.annotation).validate_python(value)
        except (KeyError, ValidationError) as error:
            raise CallFailed(Outcome.UNPARSABLE, f"{name}: {error}", raw=str(reply)) from error
    return fields


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.model_dump() if hasattr(value, "model_dump") else value

"""What a DSPy callback can learn of the model call it is told about: ``current_call``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from typing import Any

import dspy

from salitrap.errors import CallFailed
from salitrap.providers.reply import Reply
from salitrap.records.enums import Outcome, Role


@dataclass(frozen=True, slots=True)
class CallInfo:
    """One model call. Everything below ``repeat`` is known from its end (``on_lm_end``) on.

    ``model`` is the spec of the endpoint that is asked first, and after the end of the one that
    replied. ``outcome`` is that of the reply: a reply that cannot be parsed is ``ok`` here, and the
    exception of ``on_adapter_parse_end`` says what is wrong. Tokens are those reported, 0 where none
    were. ``usd`` is what this call cost: 0.0 when the reply came from the journal, None when the price
    is unknown. Earlier attempts at the call are in the journal alone.
    """

    role: Role
    model: str
    prompt: str
    repeat: int
    call_key: str = ""
    outcome: Outcome | None = None
    detail: str = ""
    returned_model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    from_journal: bool = False
    simulated: bool = False

    def record(self) -> dict[str, Any]:
        """The fields as JSON values."""
        return {**asdict(self), "role": self.role.value, "outcome": self.outcome and self.outcome.value}


_CURRENT: ContextVar[CallInfo | None] = ContextVar("salitrap_call", default=None)


def current_call() -> CallInfo | None:
    """The call that is under way where this is called; None outside of any, or when nobody listens."""
    return _CURRENT.get()


def traced() -> bool:
    """True when callbacks are set, in ``dspy.configure`` or ``dspy.context``."""
    return bool(dspy.settings.callbacks)


@contextmanager
def announced(call: CallInfo | None) -> Iterator[None]:
    """Make ``call`` the current one; None when nobody listens."""
    if call is None:
        yield
        return
    token = _CURRENT.set(call)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def ended(call: CallInfo, reply: Reply) -> CallInfo:
    """Return ``call`` as its reply completes it, and make that the current one."""
    whole = replace(
        call,
        model=reply.endpoint.spec.text,
        call_key=reply.key,
        outcome=reply.outcome,
        detail=reply.detail,
        returned_model=reply.returned_model,
        input_tokens=reply.booked.input_tokens,
        output_tokens=reply.booked.output_tokens,
        usd=_usd(reply),
        from_journal=reply.from_journal,
        simulated=reply.simulated,
    )
    _CURRENT.set(whole)
    return whole


def never_sent(call: CallInfo, error: CallFailed) -> CallInfo:
    """Return ``call`` as one that was given up before anything was sent, and make it the current one."""
    whole = replace(call, outcome=error.outcome, detail=error.detail)
    _CURRENT.set(whole)
    return whole


def _usd(reply: Reply) -> float | None:
    booked = reply.booked
    if reply.from_journal:
        return 0.0
    if booked.price is None:
        return None
    return booked.price.cost(
        booked.charged_input, booked.charged_output, booked.cached_input, booked.cache_written
    )

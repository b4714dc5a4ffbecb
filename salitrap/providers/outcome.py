"""In which outcome a reply ends."""

from __future__ import annotations

from salitrap.providers.wire.interface import Finish, WireReply
from salitrap.records.enums import Outcome


def outcome_of(reply: WireReply, max_tokens: int) -> tuple[Outcome, str]:
    """Return the outcome of a reply and a sentence that says why.

    ``ok`` means that there is text to parse or to judge; reasoning is never taken for an answer.
    """
    answered = bool(reply.text.strip())
    if reply.finish is Finish.FILTERED:
        return Outcome.FILTERED, "the provider's content filter stopped the reply"
    if reply.finish is Finish.LENGTH or (not answered and _used_up(reply, max_tokens)):
        where = "inside the answer" if answered else "before any answer"
        return Outcome.TRUNCATED, f"the token limit ({max_tokens}) was reached {where}"
    if reply.unfinished_thought:
        return Outcome.TRUNCATED, f"the reply ends inside its think block (token limit {max_tokens})"
    if not answered:
        return (
            Outcome.EMPTY,
            "the reply has reasoning but no answer" if reply.reasoning else "the reply is empty",
        )
    return Outcome.OK, ""


def _used_up(reply: WireReply, max_tokens: int) -> bool:
    """True when the whole limit was written: some servers say "stop" then all the same."""
    return reply.output_tokens is not None and reply.output_tokens >= max_tokens

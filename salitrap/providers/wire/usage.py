"""Token counts of a reply, brought to one meaning: input is the whole prompt, output all that was written."""

from __future__ import annotations

from typing import Any, NamedTuple


class Usage(NamedTuple):
    """Tokens, None when not reported.

    ``cached`` and ``cache_written`` are parts of ``input``: read from the provider's cache, and put there.
    """

    input: int | None
    output: int | None
    cached: int | None
    cache_written: int | None = None


def read_usage(usage: Any) -> Usage:
    """Counts of a chat completion.

    ``prompt_tokens`` has the cached ones in it. ``completion_tokens`` has the thoughts in it at OpenAI's own
    address, so ``reasoning_tokens`` is not added; servers that leave them out show it by a larger total.
    """
    prompt, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    total = _count(usage, "total_tokens")
    if prompt is not None and written is not None and total is not None:
        written = max(written, total - prompt)
    details = usage.get("prompt_tokens_details") if isinstance(usage, dict) else None
    cached = _part(_count(details, "cached_tokens"), prompt)
    rest = None if prompt is None else prompt - (cached or 0)
    return Usage(prompt, written, cached, _part(_count(details, "cache_write_tokens"), rest))


def read_message_usage(usage: Any) -> Usage:
    """Counts of a reply of the messages interface; its ``input_tokens`` leaves the cached ones out."""
    new = _count(usage, "input_tokens")
    written, cached = _count(usage, "cache_creation_input_tokens"), _count(usage, "cache_read_input_tokens")
    reported = [count for count in (new, written, cached) if count is not None]
    return Usage(sum(reported) if reported else None, _count(usage, "output_tokens"), cached, written)


def _part(count: int | None, whole: int | None) -> int | None:
    """A count that cannot be more than ``whole``, None when either was not reported."""
    return None if count is None or whole is None else min(count, whole)


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None

"""Read a reply of the Anthropic messages interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salitrap.providers.request import sendable
from salitrap.providers.wire.interface import Finish, NotAReply, WireReply
from salitrap.providers.wire.reasoning import split_thought
from salitrap.providers.wire.reply_json import upstream_error
from salitrap.providers.wire.usage import read_message_usage

_FINISH = {
    "max_tokens": Finish.LENGTH,
    "length": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.FILTERED,
    "content_filter": Finish.FILTERED,
}


def read_message(reply: Any, body: str) -> WireReply:
    """Turn the decoded JSON of a reply into a ``WireReply``.

    Raises:
        UpstreamError: the body is an error, or not a message.
    """
    blocks = _blocks(reply, body)
    text, inline, unfinished = split_thought(_joined(blocks, "text", "text"))
    reasoning = "\n".join(part for part in (_joined(blocks, "thinking", "thinking"), inline) if part)
    used = read_message_usage(reply.get("usage"))
    return WireReply(
        text=sendable(text),
        reasoning=sendable(reasoning),
        finish=_FINISH.get(str(reply.get("stop_reason")), Finish.STOP),
        input_tokens=used.input,
        output_tokens=used.output,
        cached_input=used.cached,
        cache_written=used.cache_written,
        returned_model=reply.get("model") if isinstance(reply.get("model"), str) else "",
        system_fingerprint="",
        body=body,
        unfinished_thought=unfinished,
    )


def _blocks(reply: Any, body: str) -> list[Mapping[str, Any]]:
    if isinstance(reply, dict) and reply.get("error"):
        raise upstream_error(reply, body)
    content = reply.get("content") if isinstance(reply, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise NotAReply("the reply has no content; is this a messages endpoint?", body)
    return [block for block in content if isinstance(block, dict)]


def _joined(blocks: list[Mapping[str, Any]], kind: str, field: str) -> str:
    wanted = (block.get(field) for block in blocks if block.get("type") == kind)
    return "".join(part for part in wanted if isinstance(part, str))

"""Read a chat completion, in the shapes that OpenAI-compatible servers really send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salitrap.providers.request import sendable
from salitrap.providers.wire.interface import Finish, NotAReply, UpstreamError, WireReply
from salitrap.providers.wire.reasoning import split_thought
from salitrap.providers.wire.reply_json import upstream_error
from salitrap.providers.wire.usage import read_usage

_FINISH = {
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "max_output_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
    "safety": Finish.FILTERED,
    "refusal": Finish.FILTERED,
}
_TEXT_PARTS = ("text", "output_text")


def read_chat(reply: Any, body: str) -> WireReply:
    """Turn the decoded JSON of a reply into a ``WireReply``.

    Raises:
        UpstreamError: the body is an error, or not a chat completion.
    """
    choice = _first_choice(reply, body)
    message = choice.get("message") or {}
    content, parts_thought = _content(message.get("content"))
    if not content.strip():
        content = _text(message.get("refusal")) or _refusal(message.get("content"))
    text, inline, unfinished = split_thought(content)
    exposed = _text(message.get("reasoning_content")) or _text(message.get("reasoning")) or parts_thought
    used = read_usage(reply.get("usage"))
    return WireReply(
        text=sendable(text),
        reasoning=sendable("\n".join(part for part in (exposed, inline) if part)),
        finish=_FINISH.get(str(choice.get("finish_reason")).lower(), Finish.STOP),
        input_tokens=used.input,
        output_tokens=used.output,
        cached_input=used.cached,
        cache_written=used.cache_written,
        returned_model=_text(reply.get("model")),
        system_fingerprint=_text(reply.get("system_fingerprint")),
        body=body,
        unfinished_thought=unfinished,
    )


def _first_choice(reply: Any, body: str) -> Mapping[str, Any]:
    if isinstance(reply, dict) and reply.get("error"):
        raise upstream_error(reply, body)
    choices = reply.get("choices") if isinstance(reply, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise NotAReply("the reply has no choices; is this a chat completions endpoint?", body)
    choice: dict[str, Any] = choices[0]
    if isinstance(choice.get("error"), dict):
        raise upstream_error(choice, body)
    if choice.get("finish_reason") == "error":
        raise UpstreamError("the model stopped with an error in mid-reply", status=None, body=body)
    return choice if isinstance(choice.get("message"), dict) else {**choice, "message": {}}


def _content(content: Any) -> tuple[str, str]:
    """Text and thinking of a content that is a string, null or a list of parts."""
    if not isinstance(content, list):
        return _text(content), ""
    parts = [part if isinstance(part, dict) else {"text": part} for part in content]
    text = "".join(_text(part.get("text")) for part in parts if part.get("type", "text") in _TEXT_PARTS)
    return text, "\n".join(_thought(part) for part in parts if part.get("type") in ("thinking", "reasoning"))


def _refusal(content: Any) -> str:
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "".join(_text(part.get("refusal")) for part in parts)


def _thought(part: Mapping[str, Any]) -> str:
    inner = part.get("thinking", part.get("text"))
    if isinstance(inner, list):
        return "\n".join(_text(piece.get("text")) for piece in inner if isinstance(piece, dict))
    return _text(inner)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

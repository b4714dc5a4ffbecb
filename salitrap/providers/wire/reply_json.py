"""Decode the body of a reply, and recognise one that is an error in spite of its status 200."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from salitrap.providers.api_keys import Redactor
from salitrap.providers.request import sendable
from salitrap.providers.wire.interface import NotAReply, UpstreamError, WireReply


def as_text(content: bytes) -> str:
    """Decode the bytes of a reply: JSON is UTF-8, whatever the header says.

    Raises:
        NotAReply: they are not UTF-8. Guessing at another encoding could change an answer unnoticed.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise NotAReply("the reply is not UTF-8", content.decode("utf-8", "backslashreplace")) from None


def decoded(body: str) -> Any:
    """Decode a reply's JSON.

    Raises:
        NotAReply: it is not JSON.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise NotAReply("the reply is not JSON", body) from None


def upstream_error(reply: Mapping[str, Any], body: str) -> UpstreamError:
    """Build the error of a body ``{"error": ...}``."""
    error = reply["error"]
    if not isinstance(error, dict):
        return UpstreamError(sendable(str(error)), status=None, body=body)
    code = str(error.get("code", error.get("status")))
    status = int(code) if code.isascii() and code.isdecimal() and len(code) == 3 else None
    message = sendable(str(error.get("message") or error))
    return UpstreamError(message, status=status, body=body)


def cleaned(text: str, redactor: Redactor) -> str:
    """A reply's text without keys, and the same JSON otherwise: only strings in it are touched."""
    if redactor.clean(text) == text:
        return text
    try:
        return json.dumps(_cleaned(json.loads(text), redactor), ensure_ascii=False)
    except (ValueError, RecursionError):
        return redactor.clean(text)


def _cleaned(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.clean(value)
    if isinstance(value, list):
        return [_cleaned(inner, redactor) for inner in value]
    if isinstance(value, dict):
        return {redactor.clean(name): _cleaned(inner, redactor) for name, inner in value.items()}
    return value


def without_keys(reply: WireReply, redactor: Redactor) -> WireReply:
    """``reply`` without a key that appears only once its escapes are decoded and its parts joined."""
    return replace(
        reply,
        text=redactor.clean(reply.text),
        reasoning=redactor.clean(reply.reasoning),
        returned_model=redactor.clean(reply.returned_model),
    )

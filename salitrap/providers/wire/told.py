"""What an endpoint said about its failure, fit for one line of a message."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST_REASON = 200
_PREFIX = re.compile(r"Error code: \d+(?: - )?")


def shown(text: str) -> str:
    """``text`` on one line, without anything that could steer a terminal."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def told(detail: str, body: str) -> str:
    """The reason of a failed request, at most 200 characters.

    The SDKs' texts repeat the status and, of a body that is not their own JSON, say nothing: then the
    body's message or the body itself is the reason.
    """
    prefix = _PREFIX.match(detail)
    if prefix is None:
        return cut(detail, LONGEST_REASON)
    reason = _message(body) or detail[prefix.end() :] or body
    return cut(shown(reason), LONGEST_REASON) or "no reason was given"


def cut(text: str, longest: int) -> str:
    """``text``, or its first ``longest`` characters, the last of them an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _message(body: str) -> str:
    """The message in a JSON error in one of the usual shapes; empty when there is none."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = _entry(reply, "error") or reply
    texts = (error, _entry(error, "message"), _entry(reply, "message"), _entry(reply, "detail"))
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _entry(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None

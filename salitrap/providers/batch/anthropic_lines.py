"""A line of results of Anthropic's batch interface."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from salitrap.providers.batch.answers import mapping, word
from salitrap.providers.batch.interface import BatchCancelled, BatchFailure, BatchUnfinished
from salitrap.providers.wire.anthropic_reply import read_message
from salitrap.providers.wire.interface import NotAReply, WireReply
from salitrap.providers.wire.reply_json import decoded

STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
}
"""The status that a request alone would have met; what is not named here may do better in another batch."""


def read_line(line: str) -> WireReply:
    """Return the reply in a line.

    Raises:
        UpstreamError: the request failed, or the line holds no reply.
    """
    result = mapping(mapping(decoded(line)).get("result"))
    kind = word(result.get("type"))
    if kind == "succeeded":
        message = result.get("message")
        return read_message(message, json.dumps(message, ensure_ascii=False))
    if kind == "errored":
        raise _failure(mapping(result.get("error")), line)
    if kind == "canceled":
        raise BatchCancelled(
            "the batch was cancelled at the provider before this request was done", body=line
        )
    if kind == "expired":
        raise BatchUnfinished("the batch expired before this request was done", body=line)
    raise NotAReply("the line has no result of a known type", line)


def _failure(outer: Mapping[str, Any], line: str) -> BatchFailure:
    error = mapping(outer.get("error")) or outer
    code = word(error.get("type"))
    message = word(error.get("message")) or code or "the request failed; no reason was given"
    status = STATUS.get(code)
    kind = BatchUnfinished if status is None else BatchFailure
    return kind(message, status=status, body=line, code=code)

"""A line of results of OpenAI's batch interface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salitrap.providers.batch.answers import mapping, word
from salitrap.providers.batch.interface import BatchCancelled, BatchFailure, BatchUnfinished, Fault
from salitrap.providers.wire.interface import NotAReply, WireReply
from salitrap.providers.wire.openai_reply import read_chat
from salitrap.providers.wire.reply_json import decoded

PASSING = frozenset({408, 409, 425, 429, 499, 500, 502, 503, 504, 529})
"""Statuses after which the same request may do better in another batch; nothing was paid for them."""

FAULT_STATUS = {
    "billing_hard_limit_reached": 402,
    "insufficient_quota": 402,
    "model_not_found": 404,
    "token_limit_exceeded": 429,
}
"""Why a batch was refused as a whole, as the status that its requests alone would have met; else 400."""

QUOTA = "insufficient_quota"


def read_line(line: str) -> WireReply:
    """Return the reply in a line.

    Raises:
        UpstreamError: the request failed, or the line holds no reply.
    """
    entry = mapping(decoded(line))
    response = mapping(entry.get("response"))
    if not response:
        raise _undone(mapping(entry.get("error")), line)
    body = response.get("body")
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    status = response.get("status_code")
    if isinstance(status, int) and status >= 400:
        raise failure(mapping(mapping(body).get("error")), status, text)
    return read_chat(body, text)


def failure(error: Mapping[str, Any], status: int, body: str) -> BatchFailure:
    """What a request alone would have met as a status."""
    message = word(error.get("message")) or f"the request failed with HTTP {status}"
    code = word(error.get("code"))
    kind = BatchUnfinished if status in PASSING and code != QUOTA else BatchFailure
    param = word(error.get("param")) or None
    return kind(message, status=status, body=body, param=param, code=code)


def refusals(ids: Sequence[str], faults: Sequence[Fault]) -> Iterator[tuple[str, str]]:
    """Lines by custom id for the requests of a batch that the provider refused as a whole.

    Where faults name lines, these requests are refused, and the others were not done.
    """
    by_place = {fault.line - 1: fault for fault in faults if fault.line is not None}
    for place, name in enumerate(ids if faults else ()):
        fault = by_place.get(place) if by_place else faults[0]
        yield name, json.dumps(_refused(name, fault, len(by_place)), ensure_ascii=False)


def _refused(name: str, fault: Fault | None, others: int) -> dict[str, Any]:
    if fault is None:
        told = f"the provider refused the batch because of {others} other requests in it"
        return {"custom_id": name, "response": None, "error": {"code": "batch_refused", "message": told}}
    error = {"code": fault.code, "message": fault.message, "param": fault.param}
    response = {"status_code": FAULT_STATUS.get(fault.code, 400), "body": {"error": error}}
    return {"custom_id": name, "response": response, "error": None}


def _undone(error: Mapping[str, Any], line: str) -> Exception:
    code = word(error.get("code"))
    message = word(error.get("message")) or code
    if code == "batch_cancelled":
        return BatchCancelled(
            "the batch was cancelled at the provider before this request was done", body=line
        )
    if code == "batch_expired":
        return BatchUnfinished("the batch expired before this request was done", body=line)
    if not message:
        return NotAReply("the line has neither a response nor an error", line)
    return BatchUnfinished(message, body=line)

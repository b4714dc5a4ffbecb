"""Answers of the batch interfaces themselves, read without trusting their shape."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2

from salitrap.providers.api_keys import Redactor
from salitrap.providers.wire.interface import NotAReply
from salitrap.providers.wire.reply_json import as_text, decoded, upstream_error

_ID = re.compile(r"[\w.:-]{1,256}", re.ASCII)


def record(response: httpx2.Response, redactor: Redactor) -> dict[str, Any]:
    """The JSON object of an answer.

    Raises:
        UpstreamError: it is an error, or no object.
    """
    body = redactor.clean(as_text(response.content))
    answer = decoded(body)
    if not isinstance(answer, dict):
        raise NotAReply("the answer is no JSON object; is this a batch interface?", body)
    if answer.get("error"):
        raise upstream_error(answer, body)
    return answer


def identifier(answer: Mapping[str, Any]) -> str:
    """The ``id`` of an answer; it becomes part of addresses, so nothing else than an id is taken.

    Raises:
        NotAReply: there is none.
    """
    value = answer.get("id")
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise NotAReply("the answer has no id; is this a batch interface?", str(dict(answer)))
    return value


def records(value: Any) -> Sequence[Mapping[str, Any]]:
    """The objects of a list, nothing when it is none."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> Mapping[str, Any]:
    """An object, empty when it is none."""
    return value if isinstance(value, dict) else {}


def count(value: Any) -> int:
    """A number of requests, 0 when it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def word(value: Any) -> str:
    """A text, empty when it is none."""
    return value if isinstance(value, str) else ""

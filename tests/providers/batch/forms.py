"""How the batch interfaces write a line of results."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Lines = list[bytes]


@dataclass
class Held:
    """A batch at the server; ``requests`` by custom id, in the order in which they came."""

    id: str
    requests: dict[str, dict[str, Any]]
    metadata: dict[str, str] = field(default_factory=dict)
    upload: str = ""
    polls: int = 0
    lines: tuple[Lines, Lines] | None = None
    made: datetime = field(default_factory=lambda: datetime.now(UTC))


def openai_line(name: str, status: int, said: Any) -> bytes:
    response = {"status_code": status, "request_id": "r", "body": said}
    return _json({"id": "x", "custom_id": name, "response": response, "error": None})


def anthropic_line(name: str, status: int, said: Any) -> bytes:
    result = {"type": "errored", "error": said} if status >= 400 else {"type": "succeeded", "message": said}
    return _json({"custom_id": name, "result": result})


def fated(name: str, fate: str, openai: bool) -> bytes:
    if openai:
        error = {"code": f"batch_{fate}", "message": "This request could not be executed."}
        return _json({"id": "x", "custom_id": name, "response": None, "error": error})
    return _json({"custom_id": name, "result": {"type": fate.replace("cancelled", "canceled")}})


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()

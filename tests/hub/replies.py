"""Replies as the Hub gives them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Reply:
    """Status, headers and body of one reply."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class Refusal(Exception):  # a reply, not a fault of ours
    """A request that the Hub refuses."""

    def __init__(self, status: int, message: str, code: str | None = None, **headers: str) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.headers = status, message, code, headers

    @property
    def reply(self) -> Reply:
        named = {"X-Error-Code": self.code} if self.code else {}
        given = {name.replace("_", "-"): value for name, value in self.headers.items()}
        told = as_json({"error": self.message}, self.status)
        return Reply(
            self.status, told.body, {**told.headers, **named, "X-Error-Message": self.message, **given}
        )


def as_json(value: Any, status: int = 200) -> Reply:
    """A JSON reply."""
    return Reply(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

"""Read a chat request the way a model would: which task, which inputs, which language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from salitrap.lab.draws import Draw
from salitrap.lab.gold import GoldBook
from salitrap.records.enums import Language
from salitrap.text import han_share

SCHEMA_MARK = "[[ ## output_schema ## ]]"
_BLOCK = re.compile(r"^\[\[ ## (\w+) ## \]\][ \t]*\n?", re.MULTILINE)
_TELLING = ("prompt", "parent", "definition", "answer", "current")
_CHINESE = 0.4


class BadRequest(Exception):
    """The request is not one a chat endpoint can answer; the text says why."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request as understood.

    ``schema`` is None for a plain conversation, which a solver answers. ``text`` is all that users
    wrote, ``inputs`` the fields of a structured call (JSON values decoded). ``gold`` are answers whose
    evidence the judge knows. ``conversation`` is (role, text) of all messages of a plain conversation.
    """

    model: str
    language: Language
    text: str
    system: str
    schema: Mapping[str, Any] | None
    inputs: Mapping[str, Any]
    draw: Draw
    seed: int
    characters: int = 0
    properties: frozenset[str] = field(default_factory=frozenset)
    gold: GoldBook = field(default_factory=GoldBook)
    conversation: tuple[tuple[str, str], ...] = ()

    def said(self, name: str) -> str:
        """An input as text, "" when absent."""
        value = self.inputs.get(name, "")
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def listed(self, name: str) -> list[str]:
        """An input that is a list of texts."""
        value = self.inputs.get(name, [])
        return [str(entry) for entry in value] if isinstance(value, list) else []


def read_request(body: Any, lab_seed: int, gold: GoldBook | None = None) -> Ask:
    """Understand the body of a chat completion request.

    Raises:
        BadRequest: it has no model or no usable messages.
    """
    if not isinstance(body, dict) or not isinstance(body.get("model"), str):
        raise BadRequest("'model' must be a text")
    messages = _messages(body.get("messages"))
    system = "\n".join(text for role, text in messages if role in ("system", "developer"))
    schema = _schema(system, body.get("response_format"))
    users = [text for role, text in messages if role == "user"]
    if not users:
        raise BadRequest("'messages' must hold a user message")
    inputs = _inputs(users[0]) if schema is not None else {}
    text = "\n\n".join(users)
    return Ask(
        model=body["model"],
        language=_language(inputs, users[0] if schema is not None else text),
        text=text,
        system=system,
        schema=schema,
        inputs=inputs,
        draw=Draw(lab_seed, body["model"], messages, body.get("temperature"), body.get("seed")),
        seed=lab_seed,
        characters=sum(len(text) for _, text in messages),
        properties=frozenset(schema.get("properties", {})) if schema is not None else frozenset(),
        gold=gold or GoldBook(),
        conversation=tuple(messages) if schema is None else (),
    )


def _messages(value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not value:
        raise BadRequest("'messages' must be a list that is not empty")
    return [_message(message) for message in value]


def _message(message: Any) -> tuple[str, str]:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise BadRequest("every message must be an object with a role")
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if not isinstance(content, str | None):
        raise BadRequest("message content must be a text or a list of parts")
    return message["role"], content or ""


def _schema(system: str, response_format: Any) -> dict[str, Any] | None:
    _, mark, rest = system.partition(SCHEMA_MARK)
    if mark:
        found = _decoded(rest.strip().splitlines()[0] if rest.strip() else "")
        if isinstance(found, dict):
            return found
    if isinstance(response_format, dict):
        wanted = response_format.get("json_schema")
        if isinstance(wanted, dict) and isinstance(wanted.get("schema"), dict):
            return dict(wanted["schema"])
        if response_format.get("type") == "json_object":
            return {"type": "object", "properties": {}}
    return None


def _inputs(text: str) -> dict[str, Any]:
    marks = list(_BLOCK.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return {
        mark.group(1): _value(text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=False)
    }


def _value(text: str) -> Any:
    if text[:1] in ("[", "{") or (text.isascii() and text.isdigit()):
        decoded = _decoded(text)
        return text if decoded is None else decoded
    return text


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _language(inputs: Mapping[str, Any], text: str) -> Language:
    telling = next((inputs[name] for name in _TELLING if isinstance(inputs.get(name), str)), text)
    return Language.ZH if han_share(telling or text) >= _CHINESE else Language.EN

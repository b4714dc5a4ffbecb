"""A call of a batch in the journal, so that any later process can collect its reply.

Without it only the command that would ask the same again finds the reply, and nobody once its settings have
changed.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from salitrap.providers.access import ChatMessage, PromptRef
from salitrap.providers.request import CallRequest
from salitrap.records.enums import Language, Role
from salitrap.settings.endpoints import EndpointSettings


class Recorded(NamedTuple):
    """A call and the endpoint whose batch it is in; of the schema of its reply only that it had one."""

    endpoint: EndpointSettings
    request: CallRequest


def recorded(endpoint: EndpointSettings, request: CallRequest) -> str:
    """The call as JSON; keys are only named in it."""
    value = {"endpoint": endpoint.model_dump(mode="json", exclude_defaults=True), "call": _plain(request)}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def recalled(text: str) -> Recorded:
    """The call that ``recorded`` wrote down."""
    value = json.loads(text)
    return Recorded(EndpointSettings.model_validate(value["endpoint"]), _request(value["call"]))


def _plain(request: CallRequest) -> dict[str, Any]:
    prompt, root = request.prompt, request.root
    return {
        "role": request.role.value,
        "messages": [[message.role, message.content] for message in request.messages],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "attempt_timeout": request.attempt_timeout,
        "prompt": prompt and [prompt.id, prompt.version, prompt.language.value, prompt.sha256],
        "schema": request.schema is not None,
        "repeat": request.repeat,
        "root": root and _plain(root),
    }


def _request(value: dict[str, Any]) -> CallRequest:
    prompt, root = value["prompt"], value["root"]
    return CallRequest(
        role=Role(value["role"]),
        messages=tuple(ChatMessage(role, content) for role, content in value["messages"]),
        temperature=value["temperature"],
        max_tokens=value["max_tokens"],
        attempt_timeout=value["attempt_timeout"],
        prompt=prompt and PromptRef(prompt[0], prompt[1], Language(prompt[2]), prompt[3]),
        schema={} if value["schema"] else None,
        repeat=value["repeat"],
        root=root and _request(root),
    )

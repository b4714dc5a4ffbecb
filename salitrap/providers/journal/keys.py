"""Call keys: two calls share a key exactly when one reply may serve for both."""

from __future__ import annotations

import json
from collections.abc import Sequence

from salitrap.providers.access import ChatMessage
from salitrap.providers.request import CallRequest
from salitrap.records.ids import content_hash, sha256_text, stable_int

SEED_BITS = 31


def messages_json(messages: Sequence[ChatMessage]) -> str:
    """Messages as stored in the journal and hashed into the key, exactly as written."""
    plain = [{"role": message.role, "content": message.content} for message in messages]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def call_key(request: CallRequest, identity: str, messages: str | None = None) -> str:
    """SHA-256 of everything that can change the reply, except chance.

    ``identity`` is the endpoint's (its spec, and what plants the lab's behaviour); it never holds
    the lab's port. ``messages`` is ``messages_json`` when the caller has it already.
    """
    prompt = request.prompt
    text = messages if messages is not None else messages_json(request.messages)
    return content_hash(
        {
            "role": request.role.value,
            "endpoint": identity,
            "messages": sha256_text(text),
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "prompt": None if prompt is None else [str(prompt), prompt.sha256],
            "repeat": request.repeat,
        }
    )


def sampling_seed(key: str) -> int:
    """Seed sent to endpoints that take one; the key holds the repeat index already."""
    return stable_int("sampling", key) >> (63 - SEED_BITS)


class CallKeys:
    """Keys of one request at the endpoints that may serve it; each is computed once."""

    def __init__(self, request: CallRequest) -> None:
        self.request = request
        self.messages = messages_json(request.messages)
        self._keys: dict[str, str] = {}
        self._ask_keys: dict[str, str] = {}

    def at(self, identity: str) -> str:
        """Key of this call at the endpoint that ``identity`` stands for."""
        if identity not in self._keys:
            self._keys[identity] = call_key(self.request, identity, self.messages)
        return self._keys[identity]

    def ask_at(self, identity: str) -> str:
        """Key of the first call of the conversation at that endpoint."""
        if self.request.root is None:
            return self.at(identity)
        if identity not in self._ask_keys:
            self._ask_keys[identity] = call_key(self.request.root, identity)
        return self._ask_keys[identity]

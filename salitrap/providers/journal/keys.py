"""Call keys: two calls share a key exactly when one reply may serve for both."""

from __future__ import annotations

import json
from collections.abc import Sequence

from salitrap.providers.request import CallRequest, ChatMessage
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

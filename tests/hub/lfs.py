"""Large files: where to put them, the storage itself, and the look at what arrived."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.hub.replies import Refusal, Reply
from tests.hub.state import Hub


def batch(hub: Hub, given: dict[str, Any], url: str) -> Reply:
    """Where to put large files; no action for what is stored already."""

    def answer(one: dict[str, Any]) -> dict[str, Any]:
        told = {"oid": one["oid"], "size": one["size"]}
        if one["oid"] in hub.stored:
            return told
        put, check = f"{url}/_lfs/{one['oid']}", f"{url}/_lfs_verify"
        return {**told, "actions": {"upload": {"href": put}, "verify": {"href": check}}}

    told = {"transfer": "basic", "objects": [answer(one) for one in given["objects"]]}
    return Reply(200, json.dumps(told).encode(), {"Content-Type": "application/vnd.git-lfs+json"})


def put(hub: Hub, oid: str, body: bytes, *, has_token: bool) -> Reply:
    """Store a large file; the address is signed, so that a token beside it is refused, as storages do."""
    if has_token:
        raise Refusal(400, "only one way to authorize a request is allowed")
    if hashlib.sha256(body).hexdigest() != oid:
        raise Refusal(400, "content does not have the hash that was announced")
    hub.stored[oid] = body
    return Reply()


def verify(hub: Hub, given: dict[str, Any]) -> Reply:
    """Is it there, as long as was announced?"""
    held = hub.stored.get(given["oid"])
    if held is None or len(held) != given["size"]:
        raise Refusal(404, f"LFS object {given['oid']} does not exist")
    return Reply()

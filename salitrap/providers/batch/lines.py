"""Lines of a file of results: split as bytes, and told whose they are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from salitrap.providers.api_keys import Redactor
from salitrap.providers.wire.reply_json import cleaned


async def lines_of(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Split at line feeds alone: other separators may stand inside a JSON string."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line
    yield rest


def owned(line: bytes, redactor: Redactor) -> tuple[str, str] | None:
    """Custom id and text of a line, keys blanked out; None when it is blank or cannot be read."""
    try:
        text = cleaned(line.decode("utf-8"), redactor)
        entry = json.loads(text)
    except (UnicodeDecodeError, ValueError, RecursionError):
        return None
    name = entry.get("custom_id") if isinstance(entry, dict) else None
    return (name, text) if isinstance(name, str) else None

"""Content identifiers: stable across processes, workers and machines."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import Any

ID_HEX_DIGITS = 20


def canonical_json(value: Any) -> str:
    """Serialise ``value`` with sorted keys, no spaces, NFC strings; refuses NaN.

    Raises:
        ValueError: a float is not finite.
        TypeError: a value is not JSON.
    """
    return json.dumps(_nfc(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def sha256_text(text: str) -> str:
    """Hex SHA-256 of the UTF-8 bytes of ``text`` (lone surrogates are kept as such)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def content_hash(value: Any) -> str:
    """Hex SHA-256 of the canonical JSON of ``value``."""
    return sha256_text(canonical_json(value))


def content_id(prefix: str, value: Any) -> str:
    """Return a short identifier such as ``seed-1f0c...`` made from the content alone."""
    return f"{prefix}-{content_hash(value)[:ID_HEX_DIGITS]}"


def stable_int(*parts: Any) -> int:
    """Return a 63-bit integer made from ``parts``; replaces the salted built-in ``hash``."""
    return int(content_hash(list(parts))[:16], 16) >> 1


def _nfc(value: Any) -> Any:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {_nfc(key): _nfc(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_nfc(inner) for inner in value]
    return value

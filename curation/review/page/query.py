"""The queue's filter and place as part of an address, and back."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from curation.review.order import START, Key
from curation.review.queue import Filter, Look
from salitrap.records import Language, Status

LONGEST_TEXT = 200


def filter_in(query: Mapping[str, str], author: str) -> Filter:
    """The filter that an address names.

    Raises:
        ValueError: it names a status, a language or a kind that does not exist.
    """
    return Filter(
        status=Status(query["status"]) if query.get("status") else None,
        look=Look(query["look"]) if query.get("look") else None,
        language=Language(query["language"]) if query.get("language") else None,
        dimension=query.get("dimension", ""),
        text=query.get("text", "").strip()[:LONGEST_TEXT],
        open_to=author if query.get("open") else "",
    )


def query_of(wanted: Filter, **more: str) -> str:
    """``?status=...`` with what the filter names and ``more``; empty when there is nothing to say."""
    told = {
        "status": wanted.status.value if wanted.status else "",
        "look": wanted.look.value if wanted.look else "",
        "language": wanted.language.value if wanted.language else "",
        "dimension": wanted.dimension,
        "text": wanted.text,
        "open": "1" if wanted.open_to else "",
        **more,
    }
    given = {name: value for name, value in told.items() if value}
    return f"?{urlencode(given)}" if given else ""


def key_in(text: str) -> Key:
    """The place that ``12.3`` names; the start for an empty text.

    Raises:
        ValueError: it is no place.
    """
    if not text:
        return START
    position, _, ordinal = text.partition(".")
    return Key(position=int(position), ordinal=int(ordinal))


def key_text(key: Key) -> str:
    """A place as it stands in an address."""
    return f"{key.position}.{key.ordinal}"

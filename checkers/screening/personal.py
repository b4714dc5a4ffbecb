"""Personal data: patterns, and figures that only count with their check digit."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from checkers.screening.checksums import IBAN_LENGTHS, is_card, is_iban, is_resident_id
from checkers.screening.patterns import CARD, IBAN, IPV6, PATTERNS, RESIDENT_ID
from checkers.screening.records import Hit
from salitrap.settings.screening import ScreenCategory

_SEPARATORS = re.compile(r"[ -]")


def personal_hits(text: str) -> Iterator[Hit]:
    """Yield what looks like personal data in a folded text; places may overlap."""
    for category, pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield Hit(category, *match.span())
    for match in RESIDENT_ID.finditer(text):
        if is_resident_id(_SEPARATORS.sub("", match[0])):
            yield Hit(ScreenCategory.RESIDENT_ID, *match.span())
    for match in CARD.finditer(text):
        if is_card(_SEPARATORS.sub("", match[0])):
            yield Hit(ScreenCategory.CARD, *match.span())
    yield from _accounts(text)
    yield from _addresses(text)


def _accounts(text: str) -> Iterator[Hit]:
    for match in IBAN.finditer(text):
        length = IBAN_LENGTHS.get(match[0][:2])
        end = _end_of(text, match.start(), length) if length else None
        if end is not None and is_iban(_SEPARATORS.sub("", text[match.start() : end])):
            yield Hit(ScreenCategory.IBAN, match.start(), end)


def _end_of(text: str, start: int, length: int) -> int | None:
    """Where ``length`` letters and digits from ``start`` end, single spaces and dashes aside."""
    end = start
    while length and end < len(text):
        sign = text[end]
        if sign.isascii() and sign.isalnum():
            length -= 1
        elif sign not in " -" or text[end - 1] in " -":
            return None
        end += 1
    return None if length or text[end : end + 1].isalnum() else end


def _addresses(text: str) -> Iterator[Hit]:
    for match in IPV6.finditer(text):
        try:
            ipaddress.IPv6Address(match[0])
        except ValueError:
            continue
        yield Hit(ScreenCategory.IP, *match.span())

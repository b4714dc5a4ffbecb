"""Nothing is announced in front of the request.

What it checks
    The beginning has no announcement that ends in a colon ("The new version, as asked:"), by the words in
    ``preface.yaml``, unless the seed's own prompt begins like that.

Why it matters
    "Here is the rewritten request:" goes to every solver as part of the item.

Known blind spots
    Announcements without a colon or in unlisted words.

Example kept
    "Quick question: how many walks is that?"

Example rejected
    "Rewritten: how many walks is that?"
"""

from __future__ import annotations

import re
from functools import cache

from checkers.guards.base import Guard, GuardFault, GuardView
from checkers.guards.words import any_of
from salitrap.records.enums import Fault

WORDS = "preface.yaml"


def preface_fault(seed_prompt: str, child_prompt: str) -> str | None:
    """Say that the text is announced; None when it is not, or when the seed's prompt is as well."""
    pattern = _pattern()
    if pattern.search(child_prompt.strip()) and not pattern.search(seed_prompt.strip()):
        return "an announcement in front of the request"
    return None


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child that is announced."""
    found = preface_fault(view.seed.prompt, view.child)
    return (Fault.META_TEXT, found) if found else None


@cache
def _pattern() -> re.Pattern[str]:
    described, text = any_of(WORDS, "en.describing"), any_of(WORDS, "en.text")
    described_zh, text_zh = any_of(WORDS, "zh.describing"), any_of(WORDS, "zh.text")
    return re.compile(
        rf"^[^.!?。！？\n]{{0,60}}?\b(?:{described}) (?:{text})\b[^.!?。！？\n]{{0,30}}[:：]"
        rf"|^\W*(?:{any_of(WORDS, 'en.alone')})\W{{0,3}}[:：]"
        rf"|^[^。！？\n]{{0,30}}?(?:{described_zh})(?:后|过|好)?的?(?:{text_zh})[^。！？\n]{{0,10}}[:：]"
        rf"|^\W*(?:{any_of(WORDS, 'zh.alone')})[:：]",
        re.IGNORECASE,
    )


GUARD = Guard("preface", (Fault.META_TEXT,), find)

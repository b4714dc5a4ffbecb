"""One request, not several.

What it checks
    No numbered versions, no line between two versions (words in ``several_prompts.yaml``), no list of
    entries longer than one of the seed's own prompt, and no two paragraphs that say the same thing.

Why it matters
    A solver that gets two versions answers either; figures and label belong to neither.

Known blind spots
    Two versions in one paragraph. Two questions about one plan are one request, and pass.

Example kept
    "How many walks is that, and when do I start?"

Example rejected
    "Version 1: 3 km in 2 h ... Version 2: ..."
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations

from rapidfuzz import fuzz

from checkers.guards.base import Guard, GuardFault, GuardView
from checkers.guards.words import any_of
from salitrap.records.enums import Fault

WORDS = "several_prompts.yaml"
SAME_RATIO = 70.0
PARAGRAPH_SHARE = 0.4
"""Paragraphs at least this long, as a share of the seed's prompt, are compared with each other."""
_LISTED = re.compile(r"^\s*(?:[-*•]|[0-9]{1,2}\s*[.、)）:：])\s*\S", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n\s*\n|\n(?=\S)")


def several_fault(seed_prompt: str, child_prompt: str) -> str | None:
    """Say how the text is more than one request; None when it is one.

    Lists of which the seed's own prompt has as many lines are part of the request.
    """
    versions, between = _patterns()
    if len(versions.findall(child_prompt)) > max(1, len(versions.findall(seed_prompt))):
        return "several versions in one text"
    if between.search(child_prompt) and not between.search(seed_prompt):
        return "another version after the first"
    listed = len(_LISTED.findall(child_prompt))
    if listed > max(1, len(_LISTED.findall(seed_prompt))):
        return f"a list of {listed} entries where one request is expected"
    return "the request twice in one text" if _repeats(seed_prompt, child_prompt) else None


def find(view: GuardView) -> GuardFault | None:
    """The fault of a child that holds several requests."""
    found = several_fault(view.seed.prompt, view.child)
    return (Fault.SEVERAL_PROMPTS, found) if found else None


def _repeats(seed_prompt: str, child_prompt: str) -> bool:
    shortest = PARAGRAPH_SHARE * len(seed_prompt)
    long = [part for part in _PARAGRAPHS.split(child_prompt) if len(part.strip()) >= shortest]
    return any(fuzz.token_sort_ratio(one, other) >= SAME_RATIO for one, other in combinations(long, 2))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    number = r"(?:[0-9]{1,2}|[a-z]|[一二三四五六七八九十]{1,3})(?![a-z0-9])"
    numbered = f"{any_of(WORDS, 'en.numbered')}|{any_of(WORDS, 'zh.numbered')}"
    ordinal = rf"第[0-9一二三四五六七八九十]{{1,3}}(?:{any_of(WORDS, 'zh.ordinal')})"
    versions = rf"^\W*(?:(?:{numbered})\s*{number}|{ordinal})\W*[:：.、)）]"
    words = f"{any_of(WORDS, 'en.between')}|{any_of(WORDS, 'zh.between')}"
    between = rf"^[^\w\n]*(?:{words})[^\w\n]*(?:[:：]|$)"
    flags = re.IGNORECASE | re.MULTILINE
    return re.compile(versions, flags), re.compile(between, flags)


GUARD = Guard("several_prompts", (Fault.SEVERAL_PROMPTS,), find)

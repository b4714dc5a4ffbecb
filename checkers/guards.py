"""What can be told about a child without a model: figures, wording, form (paper, section 3.3.3).

What it checks
    All figures of the parent are kept (as a multiset of values; more only for a strategy that adds
    some); no escape wording and no patch wording that the seed's own prompt does not have; no text
    about the text; one request, not several; the seed's language; the length; no copy of the parent.

Why it matters
    These faults are the frequent ones. Finding them here costs no call and leaves no room for doubt.

Known blind spots
    Word lists know phrases, not meaning: an unlisted phrase passes, and goes on to the checkers.
    A figure may be kept and yet belong to another quantity.

Example kept
    parent "2 h and 3 km on foot", child "3 km on foot, for which I have 2 hours"

Example rejected
    child "Version 1: 3 km in 2 h ... Version 2: ..." (meta_text)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from checkers.leaks import leak_fault
from salitrap.records.candidate import Candidate
from salitrap.records.enums import Fault, Language
from salitrap.records.seed import Seed
from salitrap.settings.model import ScaleSettings
from salitrap.text import (
    WordKind,
    find_numerals,
    find_words,
    in_language,
    missing_numbers,
    numeral_counts,
    phi,
)

COPY_RATIO = 98.5
GuardFault = tuple[Fault, str]

_WORD_FAULTS = (
    (WordKind.ESCAPE, Fault.ESCAPE_WORDING, "escape wording"),
    (WordKind.PATCH, Fault.PATCH_WORDING, "patch wording"),
    (WordKind.META, Fault.META_TEXT, "text about the text"),
)
_VARIANT = re.compile(
    r"^\W*(?:version|variant|variation|option|rewrite|draft|版本|变体|改写|方案|第)"
    r"\s*[0-9A-Z一二三四五六七八九十]+\s*(?:版|种)?\W*[:：.、)）]",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(r"^\s*(?:[-*•]|[0-9]{1,2}\s*[.、)）:：])\s*\S", re.MULTILINE)
_PREFACE = re.compile(
    r"^[^.!?。！？\n]{0,60}?\b(?:rewritten|revised|rephrased|reworded|edited|mended|improved|updated|new|fresh|final)"
    r" (?:request|version|variant|variation|prompt|text|message)\b[^.!?。！？\n]{0,30}[:：]"
    r"|^\W*(?:rewritten|rewrite|rewording|revision|request|prompt)\W{0,3}[:：]"
    r"|^[^。！？\n]{0,30}?(?:改写|重写|改好|修改|润色)(?:后|过|好)?的?(?:请求|求助|题|版本|提问|留言|文本|文字)"
    r"[^。！？\n]{0,10}[:：]"
    r"|^\W*(?:改写|重写|改写后|改写版|新版)[:：]",
    re.IGNORECASE,
)
_MACHINE = re.compile(r"```|\[\[ ?##|^\s*[{\[]|^\s*-{3,}\s*$|^#{1,6}\s", re.MULTILINE)


def guard_faults(
    seed: Seed,
    parent: Candidate,
    child_prompt: str,
    *,
    adds_numbers: bool,
    bounds: tuple[int, int] | None = None,
    told: Sequence[str] = (),
) -> tuple[GuardFault, ...]:
    """Every fault of ``child_prompt`` as (fault, what was found), in a fixed order; () when sound.

    ``told`` is what the writer was given beside the text: its instructions and remarks.
    ``bounds`` are the fewest and the most characters, those of ``ScaleSettings`` when absent. A
    seed or parent outside them widens them.
    """
    found: list[GuardFault] = []
    if not in_language(child_prompt, seed.language):
        found.append((Fault.WRONG_LANGUAGE, f"not in the seed's language ({seed.language.value})"))
    found.extend(_length_faults(seed, parent, child_prompt, bounds))
    numbers = number_fault(parent, child_prompt, adds_numbers=adds_numbers)
    if numbers:
        found.append((Fault.NUMBERS_CHANGED, numbers))
    found.extend(_wording_faults(seed, child_prompt))
    form = form_fault(seed.prompt, child_prompt)
    if form:
        found.append((Fault.META_TEXT, form))
    leak = leak_fault(seed, parent, child_prompt, told)
    if leak:
        found.append(leak)
    if is_copy(parent.prompt, child_prompt):
        found.append((Fault.COPY_OF_PARENT, "the parent's text with at most trifling changes"))
    return tuple(found)


def number_fault(parent: Candidate, child_prompt: str, *, adds_numbers: bool) -> str | None:
    """Say which figures of ``parent`` are missing or new in the child; None when all is well.

    ``adds_numbers`` allows new ones, never missing ones.
    """
    missing = list(missing_numbers(parent.injected_numbers, child_prompt))
    before, after = numeral_counts(parent.prompt), numeral_counts(child_prompt)
    lost, added = _shown(before - after, parent.prompt), _shown(after - before, child_prompt)
    if missing or lost:
        return f"figures missing: {', '.join(missing or lost)}"
    return f"figures added: {', '.join(added)}" if added and not adds_numbers else None


def form_fault(seed_prompt: str, child_prompt: str) -> str | None:
    """Say how the text is more than one request in running text; None when it is one.

    Lists of which the seed's own prompt has as many lines are part of the request.
    """
    if len(_VARIANT.findall(child_prompt)) > 1:
        return "several versions in one text"
    listed = len(_LISTED.findall(child_prompt))
    if listed > max(1, len(_LISTED.findall(seed_prompt))):
        return f"a list of {listed} entries where one request is expected"
    if _PREFACE.search(child_prompt.strip()) and not _PREFACE.search(seed_prompt.strip()):
        return "an announcement in front of the request"
    if _MACHINE.search(child_prompt) and not _MACHINE.search(seed_prompt):
        return "mark-up or data instead of running text"
    return None


def is_copy(parent_prompt: str, child_prompt: str) -> bool:
    """True when the texts are the same after phi, or nearly the same, with equal figures."""
    if numeral_counts(parent_prompt) != numeral_counts(child_prompt):
        return False
    if phi(parent_prompt) == phi(child_prompt):
        return True
    return fuzz.ratio(parent_prompt, child_prompt) >= COPY_RATIO


def _wording_faults(seed: Seed, child_prompt: str) -> Iterator[GuardFault]:
    for kind, fault, what in _WORD_FAULTS:
        new = _new_words(kind, seed.language, seed.prompt, child_prompt)
        if new:
            yield fault, f"{what}: {', '.join(new)}"


def _new_words(kind: WordKind, language: Language, seed_prompt: str, child_prompt: str) -> list[str]:
    known = {word.casefold() for word in find_words(kind, language, seed_prompt)}
    matches = find_words(kind, language, child_prompt)
    return list(dict.fromkeys(word for word in matches if word.casefold() not in known))


def _length_faults(
    seed: Seed, parent: Candidate, child_prompt: str, bounds: tuple[int, int] | None
) -> Iterator[GuardFault]:
    low, high = bounds or ScaleSettings().prompt_chars[seed.language]
    known = (len(seed.prompt), len(parent.prompt))
    low, high, length = min(low, *known), max(high, *known), len(child_prompt.strip())
    if length < low:
        yield Fault.TOO_SHORT, f"{length} characters, at least {low} are needed"
    if length > high:
        yield Fault.TOO_LONG, f"{length} characters, at most {high} are allowed"


def _shown(counts: Counter[str], text: str) -> list[str]:
    """The values of ``counts`` as ``text`` writes them (18:05, not 217/12)."""
    notation = {numeral.value: numeral.raw for numeral in reversed(find_numerals(text))}
    return sorted(notation[value] for value in counts.elements())

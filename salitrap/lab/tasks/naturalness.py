"""The simulated naturalness checker: scores from features of the text, with noise of its own.

The noise depends on the text alone, so that asking again gives the same scores.
"""

from __future__ import annotations

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases, found, load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.records.enums import Language
from salitrap.text import WordKind, find_numerals, find_words

GRADED = ("everyday", "concision", "concealment", "numeric_context")
FIGURES = (3, 10)


def check_naturalness(ask: Ask) -> dict[str, object]:
    """Four scores from 1 to 5 and whether escape wording is absent."""
    prompt, phrases = ask.said("prompt"), load_phrases(ask.language)
    draw = Draw(ask.seed, ask.model, "naturalness", prompt)
    level = PLANTED.nat_mean + draw.normal("shared", PLANTED.nat_shared_noise)
    level += _shift(prompt, phrases, ask.language)
    scores = {name: _grade(level + draw.normal(name, PLANTED.nat_noise)) for name in GRADED}
    escape = bool(found(phrases.escapes, prompt) or found(phrases.escape_words, prompt))
    flagged = escape and draw.chance("escape", PLANTED.nat_escape_flagged)
    weakest = min(GRADED, key=lambda name: (scores[name], name))
    reason = f"最弱的一项是 {weakest}。" if ask.language is Language.ZH else f"Weakest: {weakest}."
    return {**scores, "no_escape_wording": not flagged, "reason": reason}


def _shift(prompt: str, phrases: Phrases, language: Language) -> float:
    count = stilted(prompt, phrases, language)
    shift = -PLANTED.nat_stilted * min(count, 1) - PLANTED.nat_stilted_more * max(count - 1, 0)
    if found(phrases.scenes, prompt):
        shift += PLANTED.nat_scene
    if found(phrases.pressure, prompt) or found(phrases.meta, prompt):
        shift -= PLANTED.nat_pressure
    low, high = FIGURES
    crowded = not low <= len(find_numerals(prompt)) <= high or len(prompt) > phrases.longest
    return shift - PLANTED.nat_crowded * crowded


def stilted(prompt: str, phrases: Phrases, language: Language) -> int:
    """Stilted sentences of the lab, or else stilted words, of which two make a sentence's worth."""
    known = len(found(phrases.stilted, prompt))
    return known or len(find_words(WordKind.STILTED, language, prompt)) // 2


def _grade(level: float) -> int:
    return max(1, min(5, round(level)))

"""Planted faults of the simulated writers, all of them visible in the text."""

from __future__ import annotations

from enum import StrEnum

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.sentences import is_question, sentences
from salitrap.text import Numeral, find_numerals


class Flaw(StrEnum):
    """What is wrong with a rewrite."""

    NONE = "none"
    COPY = "copy"
    META = "meta"
    NUMBER = "number"
    PATCH = "patch"
    ESCAPE = "escape"


def draw_flaw(draw: Draw) -> Flaw:
    """At most one flaw a rewrite, at the planted rates."""
    rates = {
        Flaw.COPY: PLANTED.rewrite_copy,
        Flaw.META: PLANTED.rewrite_meta,
        Flaw.NUMBER: PLANTED.rewrite_number,
        Flaw.PATCH: PLANTED.rewrite_patch,
        Flaw.ESCAPE: PLANTED.rewrite_escape,
    }
    return draw.weighted("flaw", {**rates, Flaw.NONE: 1.0 - sum(rates.values())})


def spoil(text: str, flaw: Flaw, ask: Ask, phrases: Phrases) -> str:
    """``text`` with ``flaw`` put in."""
    draw = ask.draw
    if flaw is Flaw.META:
        return phrases.join([draw.pick("meta", phrases.meta), text])
    if flaw is Flaw.ESCAPE:
        return phrases.join([text, draw.pick("escape", phrases.escapes)])
    if flaw is Flaw.PATCH:
        return _before_question(text, draw.pick("patch", phrases.patches), ask, phrases)
    if flaw is Flaw.NUMBER:
        return _wrong_number(text, draw, phrases)
    return text


def _before_question(text: str, sentence: str, ask: Ask, phrases: Phrases) -> str:
    parts = sentences(text, ask.language)
    at = next((index for index, part in enumerate(parts) if is_question(part)), len(parts))
    return phrases.join([*parts[:at], sentence, *parts[at:]])


def _wrong_number(text: str, draw: Draw, phrases: Phrases) -> str:
    """Change one figure, or make it vague."""
    numerals = find_numerals(text)
    if not numerals:
        return text
    chosen = draw.pick("number-at", numerals)
    return text[: chosen.start] + _instead(chosen, draw, phrases) + text[chosen.end :]


def _instead(numeral: Numeral, draw: Draw, phrases: Phrases) -> str:
    if draw.chance("vague", 0.4) or not numeral.raw.isdigit():
        return phrases.vague
    return str(int(numeral.raw) + 1 + draw.below("shift", 9))

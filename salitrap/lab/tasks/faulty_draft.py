"""Planted faults of the simulated seed generator."""

from __future__ import annotations

from typing import Any

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.tasks.renumber import renumber
from salitrap.lab.tasks.sentences import sentences
from salitrap.records.enums import Language
from salitrap.text import find_numerals, missing_numbers

Draft = dict[str, Any]

_AGAIN = {Language.EN: "{}, once more", Language.ZH: "再一次{}"}
_NO_DENIAL = {
    Language.EN: "{tool} makes a poor fit for {object} here.",
    Language.ZH: "{tool}用来对付{object}比较勉强。",
}


def near_copy(draft: Draft, draw: Draw, language: Language) -> Draft:
    """The same seed under another name, with other figures and one more sentence."""
    closer = draw.pick("closer", load_phrases(language).closers)
    prompt = renumber(draft["prompt"], draw)
    prompt = load_phrases(language).join([prompt, closer]) if closer not in prompt else prompt
    return {
        **draft,
        "scenario": _AGAIN[language].replace("{}", draft["scenario"]),
        "prompt": prompt,
        "injected_numbers": [numeral.raw for numeral in find_numerals(prompt)],
    }


def spoiled(draft: Draft, exclusions: list[str], draw: Draw, language: Language) -> Draft:
    """``draft`` with at most one planted fault put in."""
    rates = {
        "scenario": PLANTED.scale_same_scenario if exclusions else 0.0,
        "number": PLANTED.scale_stray_number,
        "denial": PLANTED.scale_no_denial,
        "short": PLANTED.scale_too_short,
    }
    fault = draw.weighted("fault", {**rates, "none": 1.0 - sum(rates.values())})
    if fault == "scenario":
        return {**draft, "scenario": draw.pick("scenario", exclusions).partition(" (")[0]}
    if fault == "number":
        return {**draft, "injected_numbers": [*draft["injected_numbers"], _stray(draft["prompt"], draw)]}
    if fault == "denial":
        return {**draft, "trap_core": _without_denial(draft, language)}
    return _shortened(draft, language) if fault == "short" else draft


def _stray(prompt: str, draw: Draw) -> str:
    """A number that the prompt does not hold."""
    numbers = draw.order("stray", [str(number) for number in range(61, 99)])
    return next(number for number in numbers if missing_numbers([number], prompt))


def _without_denial(draft: Draft, language: Language) -> str:
    text = _NO_DENIAL[language].replace("{tool}", draft["tool"]).replace("{object}", draft["object"])
    return text[:1].upper() + text[1:]


def _shortened(draft: Draft, language: Language) -> Draft:
    prompt = sentences(draft["prompt"], language)[0]
    return {**draft, "prompt": prompt, "injected_numbers": [numeral.raw for numeral in find_numerals(prompt)]}

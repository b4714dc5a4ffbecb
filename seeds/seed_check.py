"""Content checks of each seed on its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from salitrap.records import Fault, Language
from salitrap.settings import ScaleSettings
from salitrap.text import WordKind, find_listed, find_numerals, find_words, numeral_values
from seeds.document import SeedView
from seeds.findings import Code, Finding
from seeds.structure import (
    StructuralFault,
    ground_truth_faults,
    language_faults,
    length_faults,
    number_faults,
    trap_core_faults,
)

_CODES = {
    Fault.TOO_SHORT: Code.TOO_SHORT,
    Fault.TOO_LONG: Code.TOO_LONG,
    Fault.TOO_FEW_NUMBERS: Code.TOO_FEW_NUMBERS,
    Fault.NUMBER_NOT_IN_PROMPT: Code.NUMBER_NOT_IN_PROMPT,
    Fault.NO_HARD_NEGATIVE: Code.NO_HARD_NEGATIVE,
    Fault.THIN_GROUND_TRUTH: Code.THIN_GROUND_TRUTH,
    Fault.WRONG_LANGUAGE: Code.WRONG_LANGUAGE,
}
_REPAIRS = {
    Code.TOO_SHORT: "tell more of the everyday situation",
    Code.TOO_LONG: "cut what neither the trap nor the numbers need",
    Code.TOO_FEW_NUMBERS: "put more numbers into the prompt and list them",
    Code.NUMBER_NOT_IN_PROMPT: "list numerals exactly as the prompt writes them, once for each place",
    Code.NO_HARD_NEGATIVE: "say what is impossible: cannot, no, not; 不能, 无法, 没有",
    Code.THIN_GROUND_TRUTH: "say what a right answer must name",
    Code.WRONG_LANGUAGE: "write it in the seed's language, or correct 'language:'",
}
_WRITTEN_FIELDS = ("scenario", "prompt", "trap_core", "ground_truth")
_HAN_GAP = re.compile(r"[\u3400-\u9fff，。？！、：；][ \t]+[\u3400-\u9fff，。？！、：；]")


def seed_findings(view: SeedView, settings: ScaleSettings) -> Iterator[Finding]:
    """Every content fault of one seed; fields the form check refused are passed over.

    A seed without a usable ``language`` is checked by the language that its texts seem to be in.
    """
    yield from _number_findings(view, settings)
    yield from _niche_findings(view)
    yield from _text_findings(view, view.written_in, settings)


def _text_findings(view: SeedView, language: Language, settings: ScaleSettings) -> Iterator[Finding]:
    prompt, trap_core = view.text("prompt"), view.text("trap_core")
    yield from _structural(view, "prompt", length_faults(prompt, language, settings))
    yield from _structural(view, "trap_core", trap_core_faults(trap_core, language))
    yield from _structural(view, "ground_truth", ground_truth_faults(view.text("ground_truth"), settings))
    for name in _WRITTEN_FIELDS:
        if view.language is not None:
            yield from _structural(view, name, language_faults(name, view.text(name), language))
        if language is Language.ZH and (gap := _HAN_GAP.search(view.text(name))):
            yield _spaced(view, name, gap.group())
    for wording in find_words(WordKind.ESCAPE, language, prompt):
        yield view.document.finding(
            Code.ESCAPE_WORDING,
            view.at("prompt"),
            f"{wording!r} offers a way around the trap",
            "ask for the plan as if it were possible, without a licence to ignore the world",
        )


def _structural(view: SeedView, name: str, faults: Iterator[StructuralFault]) -> Iterator[Finding]:
    for fault, message in faults:
        code = _CODES[fault]
        yield view.document.finding(code, view.at(name), message, _REPAIRS[code])


def _spaced(view: SeedView, name: str, gap: str) -> Finding:
    return view.document.finding(
        Code.SPACED_CHINESE,
        view.at(name),
        f"white space between Chinese characters at {gap!r}; a folded line becomes a space",
        "keep the text on one line of the file",
    )


def _number_findings(view: SeedView, settings: ScaleSettings) -> Iterator[Finding]:
    prompt, listed = view.text("prompt"), view.texts("injected_numbers")
    if prompt and isinstance(view.raw.get("injected_numbers"), list):
        yield from _structural(view, "injected_numbers", number_faults(prompt, listed, settings))
        yield from _unlisted(view, prompt, listed)
    for entry in listed:
        if entry.strip() and not numeral_values(entry):
            yield view.document.finding(
                Code.NOT_A_NUMERAL,
                view.at("injected_numbers"),
                f"{entry!r} holds no numeral",
                "write the number in digits or Chinese numerals, or take it off the list",
            )


def _unlisted(view: SeedView, prompt: str, listed: tuple[str, ...]) -> Iterator[Finding]:
    known = find_listed(prompt, listed)
    for numeral in (numeral for numeral in find_numerals(prompt) if numeral not in known):
        around = prompt[max(numeral.start - 6, 0) : numeral.end + 6]
        yield view.document.finding(
            Code.NUMBER_NOT_LISTED,
            view.at("injected_numbers"),
            f"numeral {numeral.raw!r} of the prompt (…{around}…) is not listed",
            "list every numeral, or reword it when it is no quantity",
        )


def _niche_findings(view: SeedView) -> Iterator[Finding]:
    niches = view.document.tree.get("niches")
    own = niches.get(view.text("language")) if isinstance(niches, dict) else None
    if not isinstance(own, dict):
        return
    for axis in ("tool", "scene", "life_area"):
        value, known = view.text("niche", axis), own.get(f"{axis}s")
        if value and isinstance(known, list) and value not in known:
            yield view.document.finding(
                Code.UNLISTED_NICHE,
                view.at("niche", axis),
                f"{value!r} is not among the {axis}s of the domain's niches",
                f"add it to niches.{view.text('language')}.{axis}s or choose a listed value",
            )

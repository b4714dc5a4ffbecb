"""Structural checks of one seed (method, stage 1), shared by the linter and by seed scaling."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from salitrap.records import Fault, Language
from salitrap.settings import ScaleSettings
from salitrap.text import WordKind, as_written, find_numerals, find_words, in_language, missing_numbers
from seeds.number_words import spelled_out

StructuralFault = tuple[Fault, str]


def structural_faults(
    prompt: str,
    trap_core: str,
    ground_truth: str,
    injected_numbers: Sequence[str],
    language: Language,
    settings: ScaleSettings,
) -> tuple[StructuralFault, ...]:
    """All faults of a seed's structure, with a sentence each; empty when it is sound."""
    texts = {"prompt": prompt, "trap_core": trap_core, "ground_truth": ground_truth}
    return (
        *blank_faults(texts),
        *length_faults(prompt, language, settings),
        *number_faults(prompt, injected_numbers, settings),
        *trap_core_faults(trap_core, language),
        *ground_truth_faults(ground_truth, settings),
        *(fault for name, text in texts.items() for fault in language_faults(name, text, language)),
    )


def blank_faults(texts: dict[str, str]) -> Iterator[StructuralFault]:
    """Fields without content."""
    for name, text in texts.items():
        if not text.strip():
            yield Fault.BAD_STRUCTURE, f"{name} is empty"


def length_faults(prompt: str, language: Language, settings: ScaleSettings) -> Iterator[StructuralFault]:
    """A prompt outside the bounds of its language, in characters."""
    length = len(prompt.strip())
    bounds = settings.prompt_chars.get(language)
    if bounds is None or not length:
        return
    if length < bounds[0]:
        yield Fault.TOO_SHORT, f"the prompt has {length} characters, at least {bounds[0]} are wanted"
    if length > bounds[1]:
        yield Fault.TOO_LONG, f"the prompt has {length} characters, at most {bounds[1]} are wanted"


def number_faults(
    prompt: str, injected_numbers: Sequence[str], settings: ScaleSettings
) -> Iterator[StructuralFault]:
    """Listed numbers that are not in the prompt, verbatim and as a multiset; too few of them."""
    absent = [entry for entry in injected_numbers if not entry.strip() or entry not in prompt]
    for entry in absent:
        yield Fault.NUMBER_NOT_IN_PROMPT, _why_absent(entry, prompt)
    present = [entry for entry in injected_numbers if entry not in absent]
    for entry in missing_numbers(present, prompt):
        yield Fault.NUMBER_NOT_IN_PROMPT, why_missing(entry, prompt)
    for entry, whole in _parts(present, prompt):
        yield Fault.NUMBER_NOT_IN_PROMPT, f"{_why_part(entry, whole)}; list the whole of it"
    if len(injected_numbers) < settings.min_numbers:
        yield (
            Fault.TOO_FEW_NUMBERS,
            f"numbers listed: {len(injected_numbers)}, at least {settings.min_numbers} are wanted",
        )


def _parts(present: Sequence[str], prompt: str) -> Iterator[tuple[str, str]]:
    """Listed numbers that are only a part of a numeral of the same value, and that numeral: 60 of 60%."""
    for entry, there in zip(present, as_written(prompt, present), strict=True):
        if entry != there and entry in there:
            yield entry, there


def _why_part(entry: str, whole: str) -> str:
    return f"listed number {entry!r} stands in the prompt as part of {whole!r}, which is one numeral"


def why_missing(entry: str, prompt: str) -> str:
    """Say why a listed number is not there as a numeral, though it may be in the prompt as text."""
    if entry not in prompt:
        return _why_absent(entry, prompt)
    if word := spelled_out(entry, prompt):
        return _why_spelled(entry, word)
    whole = next(
        (item.raw for item in find_numerals(prompt) if entry in item.raw and entry != item.raw), None
    )
    if whole:
        return _why_part(entry, whole)
    return f"listed number {entry!r} is no numeral of the prompt, or listed more often than it stands there"


def _why_spelled(entry: str, word: str) -> str:
    return (
        f"listed number {entry!r} does not stand in the prompt as a numeral: the prompt writes {word!r}; "
        f"write {entry} there or take it off the list"
    )


def _why_absent(entry: str, prompt: str) -> str:
    """Say that a listed number is not in the prompt as written, and how it is written there, if it is."""
    (there,) = as_written(prompt, (entry,))
    if there == entry and (word := spelled_out(entry, prompt)):
        return _why_spelled(entry, word)
    if there == entry or not entry.strip():
        return f"listed number {entry!r} does not stand in the prompt as written"
    same = unicodedata.normalize("NFKC", there) == unicodedata.normalize("NFKC", entry)
    how = f"{there!r}, in full-width digits" if same and not there.isascii() else repr(there)
    return (
        f'listed number {entry!r} stands in the prompt as {how}; list it as "{there}", or write {entry} there'
    )


def trap_core_faults(trap_core: str, language: Language) -> Iterator[StructuralFault]:
    """A trap core that does not say what is impossible."""
    if trap_core.strip() and not find_words(WordKind.DENIAL, language, trap_core):
        yield Fault.NO_HARD_NEGATIVE, "the trap core does not say what cannot be done"


def ground_truth_faults(ground_truth: str, settings: ScaleSettings) -> Iterator[StructuralFault]:
    """A ground truth too short to judge answers by."""
    length = len(ground_truth.strip())
    if 0 < length < settings.ground_truth_chars:
        yield (
            Fault.THIN_GROUND_TRUTH,
            f"the ground truth has {length} characters, at least {settings.ground_truth_chars} are wanted",
        )


def language_faults(name: str, text: str, language: Language) -> Iterator[StructuralFault]:
    """A field written in another language."""
    if text.strip() and not in_language(text, language):
        yield Fault.WRONG_LANGUAGE, f"{name} is not written in the language {language.value}"

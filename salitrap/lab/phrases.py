"""The lab's phrase banks: one set of sentences that its writers use and its checkers recognise."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from salitrap.errors import SalitrapError
from salitrap.lab.world.load import read_data
from salitrap.records.enums import Language


@dataclass(frozen=True, slots=True)
class Phrases:
    """Banks for seeds, rewrites and checks, of one language.

    ``shortest`` and ``longest`` bound the characters the lab writes. ``swaps`` are sets of
    interchangeable wordings; an entry ending in " #" applies before a figure only.
    ``number_sentences`` have number slots. ``hints`` are stems that ask for a feasibility check.
    ``mergeable`` sentence beginnings may follow ", and"; ``unmovable`` ones lean on what precedes, and
    so do sentences with one of the ``pronouns``. ``alternatives`` are open choices within the plan.
    """

    joiner: str
    shortest: int
    preserve: str
    preserve_numbers: str
    avoid: str
    avoid_doubt: str
    stilted: tuple[str, ...]
    openers: tuple[str, ...]
    scenes: tuple[str, ...]
    closers: tuple[str, ...]
    camouflage: tuple[str, ...]
    alternatives: tuple[str, ...]
    number_sentences: tuple[str, ...]
    patches: tuple[str, ...]
    escapes: tuple[str, ...]
    meta: tuple[str, ...]
    pressure: tuple[str, ...]
    swaps: tuple[tuple[str, ...], ...]
    unmovable: tuple[str, ...]
    pronouns: tuple[str, ...]
    hints: tuple[str, ...]
    patch_words: tuple[str, ...]
    escape_words: tuple[str, ...]
    stopwords: tuple[str, ...]
    mergeable: tuple[str, ...]
    longest: int
    vague: str

    def join(self, parts: list[str]) -> str:
        """Sentences as one text."""
        return self.joiner.join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class AnswerPhrases:
    """Banks for answers and for reading them, of one language.

    Sentences with a ``{reason}``, ``{object}`` or figure slot are recognised by their longest fixed part.
    """

    early: tuple[str, ...]
    late: tuple[str, ...]
    generic_reasons: tuple[str, ...]
    explanations: tuple[str, ...]
    declines: tuple[str, ...]
    compute_opens: tuple[str, ...]
    compute_steps: tuple[str, ...]
    plans: tuple[str, ...]
    comply_anyway: tuple[str, ...]
    refusals: tuple[str, ...]
    patched: tuple[str, ...]
    reasoning_opens: tuple[str, ...]
    reasoning_notices: tuple[str, ...]
    units: tuple[str, ...]
    notice_words: tuple[str, ...]
    refusal_words: tuple[str, ...]
    patch_words: tuple[str, ...]
    because_words: tuple[str, ...]
    plan_words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Sentences around a user's own seed, of one language.

    ``before`` go before its prompt, ``after`` follow its trap core; ``name`` makes its scenario name.
    Word slots: scene, life_area, when, scenario. The user's scene and life area may be any words, so the
    sentences quote them.
    """

    name: str
    when: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


@cache
def load_phrases(language: Language) -> Phrases:
    """Read ``world/<language>/phrases.yaml``.

    Raises:
        SalitrapError: the file is missing or a bank is.
    """
    return Phrases(**_banks(Phrases, read_data(language, "phrases.yaml"), language))


@cache
def load_answers(language: Language) -> AnswerPhrases:
    """Read ``world/<language>/answers.yaml``.

    Raises:
        SalitrapError: the file is missing or a bank is.
    """
    return AnswerPhrases(**_banks(AnswerPhrases, read_data(language, "answers.yaml"), language))


@cache
def load_surroundings(language: Language) -> Surroundings:
    """Read ``world/<language>/surroundings.yaml``.

    Raises:
        SalitrapError: the file is missing or a bank is.
    """
    return Surroundings(**_banks(Surroundings, read_data(language, "surroundings.yaml"), language))


def _banks(kind: type, data: dict[str, Any], language: Language) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    if names != data.keys():
        raise SalitrapError(f"lab data {language.value}: banks differ: {sorted(names ^ data.keys())}")
    return {name: _frozen(value) for name, value in data.items()}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def found(bank: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Entries of ``bank`` that occur in ``text``, in bank order."""
    return tuple(entry for entry in bank if entry in text)

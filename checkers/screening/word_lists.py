"""Lists of unsafe wording and of harmless uses: ``words/en.yaml`` and ``words/zh.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from checkers.screening.folding import fold
from checkers.screening.records import Hit, Marks
from salitrap.errors import SalitrapError
from salitrap.records.enums import Language
from salitrap.settings.screening import UNSAFE
from salitrap.yaml_source import Yaml, read_yaml

WORDS = Path(__file__).parent / "words"
HARMLESS = "harmless"


@cache
def read_words(language: Language) -> Mapping[str, tuple[str, ...]]:
    """Phrases by category and under ``harmless``, as authored.

    Raises:
        SalitrapError: a section is missing, unknown, or no list of quoted words.
    """
    path, wanted = WORDS / f"{language.value}.yaml", {HARMLESS, *(one.value for one in UNSAFE)}
    value = read_yaml(path).value
    if not isinstance(value, dict) or set(value) != wanted:
        raise SalitrapError(f"{path}: expected the sections {', '.join(sorted(wanted))}")
    return {str(name): _listed(path, str(name), words) for name, words in value.items()}


def _listed(path: Path, name: str, words: Yaml) -> tuple[str, ...]:
    listed = words if isinstance(words, list) else []
    kept = tuple(word for word in listed if isinstance(word, str) and word)
    if not kept or len(kept) != len(listed):
        raise SalitrapError(f"{path}: {name}: expected a list of words; quote them")
    return kept


def unsafe_hits(text: str) -> Iterator[Hit]:
    """Yield listed wording in a folded text, whatever its language; harmless uses left out."""
    for language in Language:
        harmless = Marks(text)
        for match in _pattern(language, HARMLESS).finditer(text):
            harmless.add(*match.span())
        for category in UNSAFE:
            for match in _pattern(language, category.value).finditer(text):
                if not harmless.touch(*match.span()):
                    yield Hit(category, *match.span())


@cache
def _pattern(language: Language, section: str) -> re.Pattern[str]:
    words = sorted(read_words(language)[section], key=lambda word: (-len(word), word))
    if language is Language.EN:
        joined = "|".join(r"[\W_]{1,3}".join(map(re.escape, fold(word).text.split())) for word in words)
        return re.compile(rf"(?<![a-z0-9])(?:{joined})(?![a-z0-9])")
    return re.compile("|".join(r"[\s*·._-]?".join(map(re.escape, fold(word).text)) for word in words))

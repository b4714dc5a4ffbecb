"""What a text speaks of: stems of English words, single Chinese characters and pairs of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from checkers.judge.question import Question
from checkers.judge.rules.phrases import Cue, cue_patterns
from salitrap.records.enums import Language

SINGLE = 0.5
"""Weight of a single Chinese character; a pair, or an English word, weighs 1."""

_WORD = re.compile(r"[a-z]{3,}")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_SUFFIX = re.compile(r"(?:less|ness|ings?|edly|ed|ly|ers?|ies|es|s|y|e)$")
_STEM = 6


@dataclass(frozen=True, slots=True)
class Topic:
    """What the truth speaks of: ``fresh`` content that the request lacks, and ``known`` that it has."""

    fresh: frozenset[str]
    known: frozenset[str]

    def shared(self, found: frozenset[str]) -> tuple[float, float]:
        """Weight of the fresh and of the known content in ``found``."""
        return weight(found & self.fresh), weight(found & self.known)


def topic_of(question: Question) -> Topic:
    """The topic of a question's trap."""
    truth = content(f"{question.trap_core}\n{question.ground_truth}", question.language)
    asked = content(question.prompt, question.language)
    return Topic(truth - asked, truth & asked)


def content(text: str, language: Language) -> frozenset[str]:
    """Content of ``text``; common words tell nothing and are left out."""
    if language is Language.EN:
        return frozenset(
            _stem(word) for word in _WORD.findall(text.casefold()) if not _common(word, language)
        )
    found = set[str]()
    for run in _HAN.findall(text):
        kept = [not _common(character, language) for character in run]
        found.update(character for character, keep in zip(run, kept, strict=True) if keep)
        found.update(run[at : at + 2] for at in range(len(run) - 1) if kept[at] and kept[at + 1])
    return frozenset(found)


def weight(found: frozenset[str]) -> float:
    """Weight of pieces of content, see ``SINGLE``."""
    return float(sum(SINGLE if len(piece) == 1 else 1.0 for piece in found))


@cache
def _common(word: str, language: Language) -> bool:
    return cue_patterns(language)[Cue.COMMON].fullmatch(word) is not None


def _stem(word: str) -> str:
    short = _SUFFIX.sub("", word) if len(word) > 4 else word.removesuffix("s") if len(word) > 3 else word
    short = short if len(short) >= 3 else word
    return (short[:-1] if short[-1] == short[-2] else short)[:_STEM]

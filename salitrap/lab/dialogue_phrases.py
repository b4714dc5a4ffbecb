"""The sentences of the lab's dialogues: what its writer says and its solvers recognise."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from salitrap.errors import SalitrapError
from salitrap.lab.world.load import read_data
from salitrap.records.enums import Language

_SLOT = re.compile(r"\{\w+\}")
SOCIAL = ("confusion", "reassertion", "anecdote", "authority", "consensus")


@dataclass(frozen=True, slots=True)
class DialoguePhrases:
    """Banks of one language.

    ``thing`` stands for a tool that is named later, ``proper`` for one that works, ``given`` for one that the
    lab does not know; ``later`` says that it will be named, ``keeps`` that there is one that works. Sentences
    with slots are recognised by their longest fixed part.
    """

    thing: str
    proper: str
    given: str
    later: str
    keeps: str
    mended: str
    twin_truth: str
    named: tuple[str, ...]
    goes_on: tuple[str, ...]
    switches: tuple[str, ...]
    calculates: tuple[str, ...]
    numbers: tuple[str, ...]
    confusion: tuple[str, ...]
    reassertion: tuple[str, ...]
    anecdote: tuple[str, ...]
    authority: tuple[str, ...]
    consensus: tuple[str, ...]
    corrections: tuple[str, ...]
    neutral: tuple[str, ...]

    def bank(self, name: str) -> tuple[str, ...]:
        """The sentences of one kind."""
        bank: tuple[str, ...] = getattr(self, name)
        return bank

    def kind_of(self, text: str) -> str:
        """How ``text`` presses: social, numbers, neutral, or none."""
        if any(occurs(self.bank(name), text) for name in SOCIAL):
            return "social"
        if occurs(self.numbers, text):
            return "numbers"
        return "neutral" if occurs(self.neutral, text) else "none"

    def own(self, text: str) -> bool:
        """True when ``text`` is from a dialogue of the lab in which not all is told yet, or all is well.

        Naming the tool tells all, unless what is named is one that works.
        """
        folded = text.casefold()
        works = folded.rfind(self.proper.casefold())
        if self._faulty_tool_at(folded) > works:
            return False
        hidden = works >= 0 or self.thing.casefold() in folded
        parts = [part for part in text.split("\n\n") if part.strip()]
        sums = bool(parts) and all(occurs(self.calculates, part) for part in parts)
        return hidden or sums or occurs(self.corrections, text)

    def _faulty_tool_at(self, folded: str) -> int:
        """Where a tool that does not work is named last; -1 when none is."""
        proper = self.proper.casefold()
        return max(
            (
                match.start()
                for sentence in (*self.named, *self.switches)
                for match in _pattern(sentence).finditer(folded)
                if proper not in match.group()
            ),
            default=-1,
        )


@cache
def load_dialogue_phrases(language: Language) -> DialoguePhrases:
    """Read ``world/<language>/dialogues.yaml``.

    Raises:
        SalitrapError: the file is missing or a bank is.
    """
    data = read_data(language, "dialogues.yaml")
    names = {field.name for field in fields(DialoguePhrases)}
    if names != data.keys():
        raise SalitrapError(f"lab data {language.value}: banks differ: {sorted(names ^ data.keys())}")
    frozen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    return DialoguePhrases(**frozen)


def occurs(bank: tuple[str, ...], text: str) -> bool:
    """True when a sentence of ``bank`` is in ``text``, whatever is in its slots."""
    return any(_marker(sentence) in text for sentence in bank)


@cache
def _marker(sentence: str) -> str:
    return max((part.strip() for part in _SLOT.split(sentence)), key=len)


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """Matches the sentence, in lower case, with anything short in its slots."""
    return re.compile(r"[^\n]{1,80}?".join(re.escape(part.casefold()) for part in _SLOT.split(sentence)))

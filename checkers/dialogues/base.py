"""What every guard of dialogues takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from salitrap.dialogues import Dialogue, DialogueFault, DialogueFinding, Speaker, Turn
from salitrap.text import WordKind, find_words

Findings = Iterator[DialogueFinding]
WORDS = str(Path(__file__).parent / "words.yaml")
"""Word lists of these guards; an absolute path, so that ``checkers.guards.words`` reads it from here."""


@dataclass(frozen=True, slots=True)
class DialogueView:
    """A dialogue, and the request it was made from: its own wording is no fault in the dialogue."""

    dialogue: Dialogue
    request: str = ""

    def new_words(self, kind: WordKind, content: str) -> list[str]:
        """Listed phrases of ``content`` that the request does not have, in text order."""
        language = self.dialogue.language
        known = {word.casefold() for word in find_words(kind, language, self.request)}
        return [word for word in find_words(kind, language, content) if word.casefold() not in known]


@dataclass(frozen=True, slots=True)
class DialogueGuard:
    """One question that needs no model; ``find`` yields one finding for each turn that is at fault."""

    name: str
    faults: tuple[DialogueFault, ...]
    find: Callable[[DialogueView], Findings]


@dataclass(frozen=True, slots=True)
class TwinGuard:
    """The same for a feasible twin; ``find`` takes the trap dialogue and its twin."""

    name: str
    faults: tuple[DialogueFault, ...]
    find: Callable[[Dialogue, Dialogue], Findings]


def user_places(dialogue: Dialogue) -> Iterator[tuple[int, Turn]]:
    """The user's turns, each with its place among all turns, from 1."""
    for place, turn in enumerate(dialogue.turns, 1):
        if turn.role is Speaker.USER:
            yield place, turn

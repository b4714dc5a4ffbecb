"""A dialogue as checkers are shown it, and the text their quotes have to come from."""

from __future__ import annotations

from collections.abc import Iterator

from salitrap.dialogues import Dialogue, Speaker, Turn, When
from salitrap.records.enums import Language

SPEAKERS = {
    Language.EN: {Speaker.USER: "[{number}] User: ", Speaker.ASSISTANT: "Assistant: "},
    Language.ZH: {Speaker.USER: "【{number}】用户：", Speaker.ASSISTANT: "助手："},
}
GATES = {
    Language.EN: {When.FLAGGED: "(only after a flag) ", When.COMPLIED: "(only after a compliance) "},
    Language.ZH: {When.FLAGGED: "（点破之后才发）", When.COMPLIED: "（照办之后才发）"},
}


def shown(dialogue: Dialogue) -> str:
    """All turns, one a paragraph, the user's numbered from 1, with their gates."""
    return "\n\n".join(_line(dialogue.language, number, turn) for number, turn in _numbered(dialogue))


def shown_until(dialogue: Dialogue, last: int) -> str:
    """The turns that are always sent, up to and with user turn ``last``."""
    return "\n\n".join(_line(dialogue.language, number, turn) for number, turn in _always(dialogue, last))


def text_until(dialogue: Dialogue, last: int) -> str:
    """What the user says in those turns, without numbers: where quotes have to stand."""
    said = [turn.content for _, turn in _always(dialogue, last) if turn.role is Speaker.USER]
    return "\n\n".join(said)


def _always(dialogue: Dialogue, last: int) -> Iterator[tuple[int, Turn]]:
    for number, turn in _numbered(dialogue):
        if turn.when is When.ALWAYS and number <= last and (turn.role is Speaker.USER or number < last):
            yield number, turn


def _numbered(dialogue: Dialogue) -> Iterator[tuple[int, Turn]]:
    """Turns with the number of the user's turn that they are, or that they answer."""
    number = 0
    for turn in dialogue.turns:
        number += turn.role is Speaker.USER
        yield number, turn


def _line(language: Language, number: int, turn: Turn) -> str:
    speaker = SPEAKERS[language][turn.role].format(number=number)
    return f"{speaker}{GATES[language].get(turn.when, '')}{turn.content}"

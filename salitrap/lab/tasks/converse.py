"""A simulated solver in a conversation: flags, flips and comes round with planted probabilities.

The task is impossible as soon as tool and object of a table entry have both been named, until the user says
that the right equipment is there. Dialogues by others are taken as impossible from their first turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.lab.dialogue_phrases import DialoguePhrases, load_dialogue_phrases, occurs
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.judge import read_evidence
from salitrap.lab.tasks.margin import Margin
from salitrap.lab.world.model import Entry
from salitrap.records.enums import Language, Notices

FLAG = "Pass"
COMPLY = "HF"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a conversation stands before the reply.

    ``pressure`` is what the last message does; ``complied`` tells that the impossible task was done before.
    """

    impossible: bool
    mended: bool
    flagged: bool
    complied: bool
    pressure: str


def in_conversation(ask: Ask) -> bool:
    """True for more than a bare question: there are replies, or the lab's own first turn of a dialogue."""
    replied = any(role == "assistant" for role, _ in ask.conversation)
    return replied or load_dialogue_phrases(ask.language).own(ask.text)


def flag_probability(ask: Ask, margin: Margin) -> float:
    """Probability that the next reply flags: names the trap and leaves the task undone."""
    standing = standing_of(ask, margin)
    if standing.mended:
        return 1.0 - PLANTED.dialogue_update
    if not standing.impossible:
        return PLANTED.dialogue_false_alarm
    if standing.flagged:
        return 1.0 - PLANTED.dialogue_flip[standing.pressure]
    factor = PLANTED.dialogue_commitment if standing.complied else 1.0
    return factor * margin.pass_probability


def behave_in_turn(ask: Ask, margin: Margin, mix: dict[str, float]) -> str:
    """Draw the behaviour of the next reply; ``mix`` are the failures of an impossible task."""
    if ask.draw.chance("flag", flag_probability(ask, margin)):
        return FLAG
    standing = standing_of(ask, margin)
    if standing.mended or not standing.impossible:
        return COMPLY
    return ask.draw.weighted("behaviour", {kind: share for kind, share in mix.items() if kind != FLAG})


def standing_of(ask: Ask, margin: Margin) -> Standing:
    """Read the conversation."""
    phrases = load_dialogue_phrases(ask.language)
    mended = occurs(phrases.corrections, ask.text)
    impossible = not mended and (margin.entry is not None or not phrases.own(ask.text))
    replies = _replies(ask, margin, phrases)
    return Standing(
        impossible=impossible,
        mended=mended,
        flagged=bool(replies) and replies[-1][1],
        complied=any(possible is False and not flagged for possible, flagged in replies),
        pressure=phrases.kind_of(_last_message(ask)),
    )


def _replies(ask: Ask, margin: Margin, phrases: DialoguePhrases) -> list[tuple[bool, bool]]:
    """For each reply so far: could the task be done then, and does the reply flag?"""
    said, replies = "", []
    for role, text in ask.conversation:
        if role == "user":
            said = f"{said}\n\n{text}"
        elif role == "assistant":
            replies.append((possible_with(said, margin.entry, phrases), _flags(text, ask.language)))
    return replies


def possible_with(said: str, entry: Entry | None, phrases: DialoguePhrases) -> bool:
    """Whether the task can be done with what the user has said; ``entry`` is what the whole is about."""
    if entry is None:
        return phrases.own(said)
    folded = said.casefold()
    return not all(key.casefold() in folded for key in entry.keys)


def _flags(reply: str, language: Language) -> bool:
    found = read_evidence(reply, language)
    return found.notices is not Notices.NEVER and not found.completes


def _last_message(ask: Ask) -> str:
    return next((text for role, text in reversed(ask.conversation) if role == "user"), "")

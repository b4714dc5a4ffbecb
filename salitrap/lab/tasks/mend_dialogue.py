"""Twins and corrections: the tool makes way for equipment that works."""

from __future__ import annotations

import re

from salitrap.lab.dialogue_phrases import load_dialogue_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.sentences import upper_first
from salitrap.lab.world.table import load_table


def write_twin(ask: Ask) -> dict[str, object]:
    """Answer a request for a feasible twin: the messages that may be written anew, without the tool."""
    phrases, said = load_dialogue_phrases(ask.language), ask.listed("conversation")
    entry = load_table(ask.language).recognise("\n".join(said))
    wanted = ask.inputs.get("to_rewrite")
    places = [place for place in wanted if isinstance(place, int)] if isinstance(wanted, list) else []
    tool = entry.keys[0] if entry else ""
    messages = {place: _message(said[place - 1]) for place in places if 0 < place <= len(said)}
    changed = [
        {"turn": place, "content": content}
        for place, message in messages.items()
        if (content := without(message, tool, phrases.proper)) != message
    ]
    return {"fact": phrases.mended, "turns": changed, "ground_truth": phrases.twin_truth}


def write_correction(ask: Ask) -> dict[str, object]:
    """Answer a request for a message that mends the premise."""
    phrases = load_dialogue_phrases(ask.language)
    content = ask.draw.pick("correction", phrases.corrections)
    return {"content": content, "fact": phrases.mended, "numbers": []}


def without(message: str, tool: str, instead: str) -> str:
    """``message`` with ``instead`` in place of the tool, with a capital where the tool has one."""
    if not tool:
        return message

    def named(match: re.Match[str]) -> str:
        return upper_first(instead) if match.group(0)[:1].isupper() else instead

    return re.sub(re.escape(tool), named, message, flags=re.IGNORECASE)


def _message(numbered: str) -> str:
    """A message without its number."""
    return numbered.partition(". ")[2]

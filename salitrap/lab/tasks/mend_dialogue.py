"""Twins and corrections: the tool makes way for equipment that works."""

from __future__ import annotations

import re

from salitrap.lab.dialogue_phrases import DialoguePhrases, load_dialogue_phrases, occurs
from salitrap.lab.phrases import load_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.sentences import sentences, upper_first
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language


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
        if (content := _working(message, tool, phrases, ask.language)) != message
    ]
    return {"fact": phrases.mended, "turns": changed, "ground_truth": phrases.twin_truth}


def write_correction(ask: Ask) -> dict[str, object]:
    """Answer a request for a message that mends the premise."""
    phrases = load_dialogue_phrases(ask.language)
    content = ask.draw.pick("correction", phrases.corrections)
    return {"content": content, "fact": phrases.mended, "numbers": []}


def _working(message: str, tool: str, phrases: DialoguePhrases, language: Language) -> str:
    """``message`` with equipment that works; where the tool is not known, a sentence says so."""
    changed = without(message, tool, phrases.proper)
    if changed != message:
        return changed
    kept = [
        one for one in sentences(message, language) if not occurs((*phrases.named, *phrases.switches), one)
    ]
    return load_phrases(language).join([phrases.keeps, *kept])


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

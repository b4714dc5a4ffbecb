"""The simulated checkers of dialogues: feasibility, truth with alignment, naturalness turn by turn.

What they find is drawn from the text alone, so that asking again gives the same.
"""

from __future__ import annotations

import re

from salitrap.lab.dialogue_phrases import load_dialogue_phrases, occurs
from salitrap.lab.draws import Draw
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.converse import possible_with
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language

_NUMBERED = re.compile(r"^(?:\[(\d+)\] User: |【(\d+)】用户：)(?:\([^)]*\) |（[^）]*）)?", re.MULTILINE)


def check_feasibility(ask: Ask) -> dict[str, object]:
    """Can the task be done with what has been said?"""
    said = "\n\n".join(messages(ask.said("conversation")).values())
    phrases = load_dialogue_phrases(ask.language)
    entry = load_table(ask.language).recognise(said)
    possible = occurs(phrases.corrections, said) or possible_with(said, entry, phrases)
    if _draw(ask, "feasibility").chance("wrong", PLANTED.dialogue_check_wrong):
        possible = not possible
    verdict = "feasible" if possible else "infeasible"
    return {"verdict": verdict, "quote": "" if possible else said[-40:].strip(), "reason": ""}


def check_truth_and_alignment(ask: Ask) -> dict[str, object]:
    """The trap holds over the whole, but for the planted error."""
    wrong = _draw(ask, "truth").chance("wrong", PLANTED.dialogue_check_wrong)
    return {
        "holds": True,
        "change": "none",
        "quote": "",
        "depends": not wrong,
        "no_escape": True,
        "escape": "",
        "reason": "",
    }


def check_conversation(ask: Ask) -> dict[str, object]:
    """Scores around the planted mean, and the fit of each message from the second on."""
    draw = _draw(ask, "naturalness")
    level = PLANTED.nat_mean + draw.normal("shared", PLANTED.nat_shared_noise)
    names = ("everyday", "concision", "concealment", "numeric_context")
    scores = {name: max(1, min(5, round(level + draw.normal(name, PLANTED.nat_noise)))) for name in names}
    fits = [
        {
            "turn": number,
            "after_flag": not draw.chance(f"{number}/flag", PLANTED.dialogue_misfit),
            "after_compliance": not draw.chance(f"{number}/compliance", PLANTED.dialogue_misfit),
        }
        for number in messages(ask.said("conversation"))
        if number > 1
    ]
    return {**scores, "no_escape_wording": True, "turns": fits, "quote": "", "reason": _reason(ask.language)}


def messages(conversation: str) -> dict[int, str]:
    """The user's messages by number, as the checkers are shown them."""
    marks = list(_NUMBERED.finditer(conversation))
    ends = [*(mark.start() for mark in marks[1:]), len(conversation)]
    return {
        int(mark.group(1) or mark.group(2)): conversation[mark.end() : end].strip()
        for mark, end in zip(marks, ends, strict=True)
    }


def _draw(ask: Ask, name: str) -> Draw:
    return Draw(ask.seed, ask.model, name, ask.said("conversation"))


def _reason(language: Language) -> str:
    return "读起来像日常对话。" if language is Language.ZH else "It reads like everyday talk."

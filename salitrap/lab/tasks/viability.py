"""The simulated viability screen, with planted errors: the six answers follow from what the text shows."""

from __future__ import annotations

from salitrap.lab.phrases import load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.check import escapes, lost, patches
from salitrap.lab.tasks.naturalness import stilted
from salitrap.records.enums import Language
from salitrap.text import WordKind, find_words

QUESTIONS = (
    "eraser_test",
    "target_binding",
    "no_escape",
    "unique_ground_truth",
    "naturalisable",
    "fits_dimension",
)
_RIDDLE = 3
"""Stilted sentences from which on a seed cannot be saved."""


def check_viability(ask: Ask) -> dict[str, object]:
    """Answer the six questions about a seed."""
    prompt, core, phrases = ask.said("prompt"), ask.said("trap_core"), load_phrases(ask.language)
    carried = not lost(prompt, core, ask)
    answers = {
        "eraser_test": carried,
        "target_binding": carried,
        "no_escape": not escapes(prompt, phrases),
        "unique_ground_truth": bool(find_words(WordKind.DENIAL, ask.language, core))
        and not patches(prompt, phrases),
        "naturalisable": stilted(prompt, phrases, ask.language) < _RIDDLE,
        "fits_dimension": True,
    }
    if all(answers.values()) and ask.draw.chance("false-no", PLANTED.viability_false_no):
        answers[ask.draw.pick("denied", QUESTIONS)] = False
    elif not all(answers.values()) and ask.draw.chance("false-yes", PLANTED.viability_false_yes):
        answers = dict.fromkeys(QUESTIONS, True)
    return {**answers, "reason": _reason([name for name in QUESTIONS if not answers[name]], ask.language)}


def _reason(denied: list[str], language: Language) -> str:
    if not denied:
        return "六问都站得住。" if language is Language.ZH else "All six hold."
    named = ("、" if language is Language.ZH else ", ").join(denied)
    return f"站不住的：{named}。" if language is Language.ZH else f"What fails: {named}."

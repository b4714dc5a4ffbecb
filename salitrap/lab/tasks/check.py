"""The simulated checkers of truth, alignment and compliance, with planted errors.

They look for the lab's own patch and escape sentences and for short word lists. Texts by people hold
neither as a rule, and are then judged sound but for the planted share.
"""

from __future__ import annotations

from salitrap.lab.phrases import Phrases, found, load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.sentences import sentences
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from salitrap.text import missing_numbers

_SWAPS = 2
"""The last two patch sentences exchange the task for another one."""
_SUBTASK = {Language.EN: "answer the offered part alone", Language.ZH: "只答给了台阶的那一部分"}


def check_truth(ask: Ask) -> dict[str, object]:
    """Does the trap core still hold of the prompt?"""
    prompt, phrases = ask.said("prompt"), load_phrases(ask.language)
    change, quote = _change(prompt, ask.said("trap_core"), phrases, ask)
    if change == "none" and ask.draw.chance("false-fail", PLANTED.truth_false_fail):
        change, quote = "patched", ask.draw.pick("quote", sentences(prompt, ask.language) or [prompt])
    elif change != "none" and ask.draw.chance("false-pass", PLANTED.truth_false_pass):
        change, quote = "none", ""
    return {"holds": change == "none", "change": change, "quote": quote, "reason": _reason(change, ask)}


def check_alignment(ask: Ask) -> dict[str, object]:
    """Does the question depend on the trap, without a way round it?"""
    prompt, phrases = ask.said("prompt"), load_phrases(ask.language)
    escape = next(iter(escapes(prompt, phrases)), "")
    valid = not lost(prompt, ask.said("trap_core"), ask)
    if valid and not escape and ask.draw.chance("false-fail", PLANTED.align_false_fail):
        escape = ask.draw.pick("quote", sentences(prompt, ask.language) or [prompt])
        valid = ask.draw.chance("valid", 0.5)
    elif ask.draw.chance("false-pass", PLANTED.align_false_pass):
        escape, valid = "", True
    fault = "escape" if escape else "none" if valid else "lost"
    reason, subtask = _reason(fault, ask), _SUBTASK[ask.language] if escape else ""
    return {
        "valid": valid, "no_escape": not escape, "subtask": subtask, "escape": escape, "reason": reason,
    }  # fmt: skip


def check_compliance(ask: Ask) -> dict[str, object]:
    """Did the child keep trap and figures, and add neither escape nor patch?"""
    parent, child, phrases = ask.said("parent"), ask.said("child"), load_phrases(ask.language)
    verdict = {
        "same_trap": not lost(child, ask.said("trap_core"), ask),
        "numbers_kept": not missing_numbers(ask.listed("injected_numbers"), child),
        "no_escape": not set(escapes(child, phrases)) - set(escapes(parent, phrases)),
        "no_patch": not set(patches(child, phrases)) - set(patches(parent, phrases)),
    }
    if all(verdict.values()) and ask.draw.chance("false-fail", PLANTED.compliance_false_fail):
        verdict[ask.draw.pick("false-fault", sorted(verdict))] = False
    elif ask.draw.chance("false-pass", PLANTED.compliance_false_pass):
        verdict = dict.fromkeys(verdict, True)
    wrong = next((name for name, sound in verdict.items() if not sound), "none")
    quote = next(iter((*patches(child, phrases), *escapes(child, phrases))), "") if wrong != "none" else ""
    return {**verdict, "quote": quote, "reason": _reason(wrong, ask)}


def _change(prompt: str, core: str, phrases: Phrases, ask: Ask) -> tuple[str, str]:
    mended = patches(prompt, phrases)
    if mended:
        swapped = mended[0] in phrases.patches[-_SWAPS:]
        return ("swapped" if swapped else "patched"), mended[0]
    return ("lost", "") if lost(prompt, core, ask) else ("none", "")


def lost(prompt: str, core: str, ask: Ask) -> bool:
    """True when the core is one of the table and the prompt is about another one."""
    entry = load_table(ask.language).recognise(core)
    if entry is None or entry.trap_core not in core:
        return False
    about = load_table(ask.language).recognise(prompt)
    return about is not None and about is not entry


def patches(text: str, phrases: Phrases) -> tuple[str, ...]:
    """What mends the plan: sentences of the lab, else words."""
    return found(phrases.patches, text) or found(phrases.patch_words, text)


def escapes(text: str, phrases: Phrases) -> tuple[str, ...]:
    """What opens a way round: sentences of the lab, else words."""
    return found(phrases.escapes, text) or found(phrases.escape_words, text)


def _reason(fault: str, ask: Ask) -> str:
    chinese = ask.language is Language.ZH
    if fault == "none":
        return "没有发现问题。" if chinese else "Nothing in the text speaks against it."
    return f"问题：{fault}。" if chinese else f"The text shows: {fault}."

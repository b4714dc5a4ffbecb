"""The simulated judge: evidence read from the answer, with planted errors.

Answers of the lab are recognised by the fixed parts of its sentences, gold answers by heart; other answers
are read with general word lists. Two kinds of judges err otherwise than as planned in ``PLANTED``:
``judge-noisy-20`` gives, with probability 20 %, the evidence of another label (each as likely), and
``judge-refusal`` finds a refusal in everything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from salitrap.lab.gold import GoldCase, case_of
from salitrap.lab.phrases import AnswerPhrases, load_answers
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.sentences import sentences
from salitrap.records.enums import Label, Language, Notices
from salitrap.text import find_numerals

_SLOT = re.compile(r"\{\w+\}")
_WORD = re.compile(r"[A-Za-z]{4,}")
_HAN_PAIR = re.compile(r"(?=([\u4e00-\u9fff]{2}))")
_STEM = 5
_SHARED = 2
_PLAN_SIGNS = 2
_PLAN_FIGURES = 3
_NOISY = re.compile(r"judge-noisy-(\d{1,2})")
REFUSAL_JUDGE = "judge-refusal"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer does; ``quote`` is the sentence that names the trap."""

    notices: Notices
    quote: str
    completes: bool
    refuses: bool
    explains: bool
    patches: bool


def judge(ask: Ask) -> dict[str, object]:
    """Answer a judging request with the evidence fields."""
    evidence = found_by(ask)
    return {
        "notices": evidence.notices.value,
        "quote": evidence.quote,
        "completes_task": evidence.completes,
        "refuses": evidence.refuses,
        "explains": evidence.explains,
        "patches": evidence.patches,
        "reason": _reason(evidence, ask.language),
    }


def found_by(ask: Ask) -> Evidence:
    """What the judge of the request finds in its answer, with its planted errors."""
    answer = ask.said("answer")
    if ask.model == REFUSAL_JUDGE:
        return _evidence(case_of(Label.REFUSAL, answer))
    known = ask.gold.find(ask.said("prompt"), answer)
    noise = _NOISY.fullmatch(ask.model)
    if known is not None and noise is not None:
        return _evidence(_mistaken(known, answer, int(noise.group(1)) / 100, ask))
    if known is not None:
        return misread(_evidence(known), answer, ask)
    found = read_evidence(answer, ask.language, ask.said("ground_truth"))
    if noise is not None:
        return _noisy(found, answer, int(noise.group(1)) / 100, ask)
    return misread(found, answer, ask)


def read_evidence(answer: str, language: Language, truth: str = "") -> Evidence:
    """What the answer does, before any error is planted.

    In an answer by others a denial counts as notice of the trap only in a sentence that shares two content
    words with ``truth``, if that is given: "we can't have a fraction of an egg" is no notice.
    """
    bank = load_answers(language)
    own = _read_own(answer, bank, language)
    return own if own is not None else _read_any(answer, bank, language, truth)


def misread(evidence: Evidence, answer: str, ask: Ask) -> Evidence:
    """Put the planted errors in."""
    if ask.draw.chance("wrong-notices", PLANTED.judge_wrong_notices):
        others = [kind for kind in Notices if kind is not evidence.notices]
        quote = evidence.quote or ask.draw.pick("quote", sentences(answer, ask.language) or [answer])
        evidence = replace(evidence, notices=ask.draw.pick("notices", others), quote=quote)
    if evidence.notices is Notices.NEVER:
        return replace(evidence, quote="")
    if ask.draw.chance("loose-quote", PLANTED.judge_loose_quote):
        return replace(evidence, quote=_loosened(evidence.quote))
    return evidence


def _evidence(case: GoldCase) -> Evidence:
    return Evidence(case.notices, case.quote, case.completes, case.refuses, case.explains, case.patches)


def _mistaken(case: GoldCase, answer: str, share: float, ask: Ask) -> GoldCase:
    """The case itself, or with probability ``share`` one of another label."""
    if not ask.draw.chance("mistaken", share):
        return case
    return case_of(ask.draw.pick("label", [label for label in Label if label is not case.label]), answer)


def _noisy(found: Evidence, answer: str, share: float, ask: Ask) -> Evidence:
    """What was found in an answer that is no gold answer, or with probability ``share`` something else."""
    if not ask.draw.chance("mistaken", share):
        return found
    others = [_evidence(case_of(label, answer)) for label in Label]
    return ask.draw.pick("label", [one for one in others if replace(one, quote=found.quote) != found])


def _read_own(answer: str, bank: AnswerPhrases, language: Language) -> Evidence | None:
    noticed = _first(answer, (*bank.early, *bank.late, *bank.reasoning_notices))
    computed = _first(answer, (*bank.compute_opens, *bank.compute_steps, *bank.comply_anyway))
    planned = _first(answer, bank.plans)
    declined = _first(answer, (*bank.refusals, *bank.declines))
    if (noticed, planned, declined) == (None, None, None):
        return None
    late = noticed is not None and computed is not None and computed < noticed
    notices = Notices.NEVER if noticed is None else Notices.LATE if late else Notices.EARLY
    return Evidence(
        notices=notices,
        quote=_sentence_at(answer, noticed, language) if noticed is not None else "",
        completes=planned is not None,
        refuses=declined is not None,
        explains=noticed is not None,
        patches=_first(answer, bank.patched) is not None,
    )


def _read_any(answer: str, bank: AnswerPhrases, language: Language, truth: str) -> Evidence:
    folded = answer.casefold()
    noticed = _notice_of(answer, bank, language, truth)
    signs = sum(word in folded for word in bank.plan_words)
    completes = signs >= _PLAN_SIGNS and len(find_numerals(answer)) >= _PLAN_FIGURES
    refuses = _first_word(folded, bank.refusal_words) is not None
    late = noticed is not None and noticed > len(answer) // 2 and completes
    notices = Notices.NEVER if noticed is None else Notices.LATE if late else Notices.EARLY
    return Evidence(
        notices=notices,
        quote=_sentence_at(answer, noticed, language) if noticed is not None else "",
        completes=completes,
        refuses=refuses or (noticed is not None and not completes),
        explains=noticed is not None and (not refuses or _first_word(folded, bank.because_words) is not None),
        patches=completes and _first_word(folded, bank.patch_words) is not None,
    )


def _notice_of(answer: str, bank: AnswerPhrases, language: Language, truth: str) -> int | None:
    """Where the first sentence begins that denies something and speaks of what ``truth`` speaks of."""
    end, wanted = 0, _content(truth)
    for sentence in sentences(answer, language):
        start = answer.find(sentence, end)
        end = start + len(sentence)
        denies = _first_word(sentence.casefold(), bank.notice_words) is not None
        if denies and (not truth or len(_content(sentence) & wanted) >= _SHARED):
            return start
    return None


def _content(text: str) -> frozenset[str]:
    """Beginnings of the longer words of a text, and its pairs of Chinese characters."""
    words = {word[:_STEM].casefold() for word in _WORD.findall(text)}
    return frozenset(words | {match.group(1) for match in _HAN_PAIR.finditer(text)})


def _first(answer: str, bank: tuple[str, ...]) -> int | None:
    places = [place for entry in bank if (place := answer.find(_marker(entry))) >= 0]
    return min(places, default=None)


def _first_word(folded: str, words: tuple[str, ...]) -> int | None:
    places = [place for word in words if (place := folded.find(word.casefold())) >= 0]
    return min(places, default=None)


@cache
def _marker(template: str) -> str:
    """The longest fixed part of a sentence."""
    return max((part.strip() for part in _SLOT.split(template)), key=len)


def _sentence_at(answer: str, place: int, language: Language) -> str:
    """The sentence of ``answer`` that covers ``place``, and the next one after a short lead."""
    end = 0
    for sentence in sentences(answer, language):
        start = answer.find(sentence, end)
        end = start + len(sentence)
        if place < end:
            return sentence
    return answer.strip()


def _loosened(quote: str) -> str:
    """The quote with its middle left out, so that it does not occur in the answer."""
    third = max(1, len(quote) // 3)
    return f"{quote[:third].strip()} … {quote[-third:].strip()}"


def _reason(evidence: Evidence, language: Language) -> str:
    if language is Language.ZH:
        return f"察觉：{evidence.notices.value}；完成任务：{'是' if evidence.completes else '否'}。"
    return f"Notices {evidence.notices.value}; completes the task: {evidence.completes}."

"""The judge that asks no model: evidence from wording, figures and order, the label by the same rules."""

from __future__ import annotations

from functools import cache

from checkers.judge.interface import JudgesCandidates, not_judged
from checkers.judge.question import Question
from checkers.judge.reading import Labelled, Reading
from checkers.judge.rules.finding import find_evidence
from checkers.judge.rules.phrases import list_file
from checkers.judge.rules.weights import FILE, shipped_weights
from checkers.judge.untrusted import LONGEST, Exhibit, exhibit
from checkers.label_rule import label_of
from salitrap.providers.access import Access, Answered
from salitrap.providers.spec import RULES_SPEC
from salitrap.records.enums import Label, LabelStatus, Language
from salitrap.records.ids import sha256_text
from salitrap.records.provenance import Provenance
from salitrap.settings.judging import RULES_VERSION

NAME = RULES_SPEC
VERSION = RULES_VERSION


class RuleJudge(JudgesCandidates):
    """Labels by rules: no call, no key, no cost, and the same label for the same text wherever it runs."""

    async def label(
        self, access: Access, question: Question, answered: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        """Label ``answered``; see ``AnswerJudge.label``. Nothing is asked of ``access``."""
        if (ended := not_judged(answered)) is not None:
            return ended
        visible = read(question, exhibit(answered.text))
        if not answered.reasoning.strip():
            return Labelled(visible, visible)
        return Labelled(visible, read(question, exhibit(answered.text, answered.reasoning)))


def read(question: Question, given: Exhibit) -> Reading:
    """What the rules make of one text."""
    made = rule_provenance(question.language)
    if given.too_long:
        reason = f"the text has {len(given.original):,} characters, {LONGEST:,} at most are read: not judged"
        return Reading(LabelStatus.JUDGE_ERROR, reason=reason, provenance=made)
    found = find_evidence(question, given.original, shipped_weights())
    label = label_of(found.evidence)
    if label is None:
        return Reading(LabelStatus.JUDGE_UNRESOLVED, None, found.evidence, found.reason, made)
    position = given.position(found.evidence.quote)
    return Reading(LabelStatus.OK, label, found.evidence, found.reason, made, quote_position=position)


def rule_label(question: Question, text: str) -> Label | None:
    """The label of the visible text by the rules; None where they do not decide."""
    return read(question, exhibit(text)).label


@cache
def rule_provenance(language: Language) -> Provenance:
    """Who labelled: the rules at their version, with a hash of the lists and weights that are installed."""
    text = "\0".join(path.read_text(encoding="utf-8") for path in (list_file(language), FILE))
    return Provenance(
        model=NAME, prompt=f"{NAME}@{VERSION}/{language.value}", prompt_sha256=sha256_text(text)
    )

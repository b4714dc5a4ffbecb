"""Calls of a calibration before anything is paid."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.gold import GoldAnswer
from checkers.judge import judges_asked
from curation.call_sizes import NOTHING, CallSize, judge_size, rough_tokens
from curation.estimates import role_plan
from curation.fingerprints import JUDGE_PROMPTS
from prompts.source import PromptSource, prompt_source
from salitrap.plan import Plan
from salitrap.records.enums import Role, Stage
from salitrap.settings import Settings

MOST_READINGS = 2
"""An answer is read once, and again when the first reply does not decide."""


def plan_calibration(answers: Sequence[GoldAnswer], settings: Settings) -> Plan:
    """One reading an answer by each judge of ``settings``, two at most."""
    judges, size = judges_asked(settings), reading_size(answers, settings)
    calls = (judges * len(answers), MOST_READINGS * judges * len(answers))
    return Plan(roles=(role_plan(Stage.JUDGE, Role.JUDGE, calls, size),))


def reading_size(answers: Sequence[GoldAnswer], settings: Settings) -> CallSize:
    """Mean tokens of one reading of one of ``answers``."""
    prompt_id, source = JUDGE_PROMPTS[settings.judging.mode], prompt_source(settings.prompts)
    total = NOTHING
    for answer in answers:
        total = total.plus(_size(answer, prompt_id, source))
    return total.times(1.0 / len(answers)) if answers else NOTHING


def _size(answer: GoldAnswer, prompt_id: str, source: PromptSource) -> CallSize:
    question = rough_tokens(answer.prompt + answer.trap_core + answer.ground_truth)
    tokens = rough_tokens(answer.answer)
    return judge_size(answer.language, question, (tokens, tokens), prompt_id, source)

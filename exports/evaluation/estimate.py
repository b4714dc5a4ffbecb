"""Calls of an evaluation before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from checkers.judge import judges_asked
from curation.call_sizes import CallSize, answer_size, judge_size, mean_size, rough_tokens
from curation.estimates import role_plan
from curation.fingerprints import JUDGE_PROMPTS
from exports.evaluation.given import GivenAnswer
from prompts.source import prompt_source
from salitrap.plan import Plan, RolePlan
from salitrap.records.enums import Outcome, Role, Stage
from salitrap.records.item import Item
from salitrap.settings import Settings

MOST_READINGS = 4
"""Two labels an answer (visible, with reasoning), each asked for at most twice by each judge."""


def plan_evaluation(items: Sequence[Item], models: int, repeats: int, settings: Settings) -> Plan:
    """Answers and labels of ``items`` by ``models`` models, ``repeats`` times."""
    asked = len(items) * models * repeats
    longest = settings.roles[Role.SOLVER].max_tokens
    sizes = [answer_size(rough_tokens(item.prompt), longest) for item in items]
    answer = mean_size(sizes)
    judged = mean_size([_reading(item, size[2:], settings) for item, size in zip(items, sizes, strict=True)])
    answers = role_plan(Stage.EVAL, Role.SOLVER, (asked, asked), answer)
    return Plan(roles=(answers, *_judging(asked, judged, settings)))


def plan_judging(
    answers: Sequence[GivenAnswer], items: Iterable[Item], settings: Settings | None = None
) -> Plan:
    """Labels of ``answers`` to ``items``; an answer that is not ok is not judged."""
    by_id, chosen = {item.item_id: item for item in items}, settings or Settings()
    usable = [given for given in answers if given.outcome is Outcome.OK]
    sizes = [_of_answer(by_id[given.item_id], given, chosen) for given in usable]
    return Plan(roles=_judging(len(usable), mean_size(sizes), chosen))


def _judging(answers: int, size: CallSize, settings: Settings) -> tuple[RolePlan, ...]:
    readings = answers * judges_asked(settings)
    return (role_plan(Stage.EVAL, Role.JUDGE, (readings, MOST_READINGS * readings), size),)


def _of_answer(item: Item, given: GivenAnswer, settings: Settings) -> CallSize:
    visible = rough_tokens(given.answer)
    return _reading(item, (visible, visible + rough_tokens(given.reasoning)), settings)


def _reading(item: Item, answer: tuple[float, float], settings: Settings) -> CallSize:
    question = rough_tokens(item.prompt + item.trap_core + item.ground_truth)
    source = prompt_source(settings.prompts)
    return judge_size(item.language, question, answer, JUDGE_PROMPTS[settings.judging.mode], source)

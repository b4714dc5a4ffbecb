"""Evaluation: put a dataset's items to models, have the answers judged, write label rows.

Thin on purpose: items come from a dataset folder, answers and labels go through the same model
access, judge and journal as the construction of the items. Rates are computed by ``exports.analysis``.
"""

from exports.evaluation.estimate import plan_evaluation, plan_judging
from exports.evaluation.evalset import Evalset, load_evalset
from exports.evaluation.given import GivenAnswer, read_answers
from exports.evaluation.models import (
    EvalOptions,
    evaluation_settings,
    judge_name,
    judging_settings,
    model_names,
    models_of,
    refuse_self_judging,
)
from exports.evaluation.run import Tally, evaluate, judge_answers
from exports.evaluation.setup import Model, Setup
from exports.evaluation.target import Target, open_target, promised_by, promised_for

__all__ = [
    "EvalOptions",
    "Evalset",
    "GivenAnswer",
    "Model",
    "Setup",
    "Tally",
    "Target",
    "evaluate",
    "evaluation_settings",
    "judge_answers",
    "judge_name",
    "judging_settings",
    "load_evalset",
    "model_names",
    "models_of",
    "open_target",
    "plan_evaluation",
    "plan_judging",
    "promised_by",
    "promised_for",
    "read_answers",
    "refuse_self_judging",
]

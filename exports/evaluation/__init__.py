"""Evaluation: put a dataset's items to models, have the answers judged, write label rows.

Thin on purpose: items come from a dataset folder, answers and labels go through the same model
access, judge and journal as the construction of the items. Rates are computed by ``exports.analysis``.
"""

from exports.evaluation.batches import MOST_AT_ONCE, in_batches, refuse_not_waiting, uses_batches
from exports.evaluation.dialogues import (
    DialogueSet,
    evaluate_dialogues,
    load_dialogues,
    plan_dialogue_evaluation,
)
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
from exports.evaluation.run import evaluate, judge_answers
from exports.evaluation.setup import Model, Setup
from exports.evaluation.subsets import Bench, DialogueSubset, ItemSubset, Subset, load_subset
from exports.evaluation.tally import Tally
from exports.evaluation.target import Target, open_target, promised_by, promised_for

__all__ = [
    "MOST_AT_ONCE",
    "Bench",
    "DialogueSet",
    "DialogueSubset",
    "EvalOptions",
    "Evalset",
    "GivenAnswer",
    "ItemSubset",
    "Model",
    "Setup",
    "Subset",
    "Tally",
    "Target",
    "evaluate",
    "evaluate_dialogues",
    "evaluation_settings",
    "in_batches",
    "judge_answers",
    "judge_name",
    "judging_settings",
    "load_dialogues",
    "load_evalset",
    "load_subset",
    "model_names",
    "models_of",
    "open_target",
    "plan_dialogue_evaluation",
    "plan_evaluation",
    "plan_judging",
    "promised_by",
    "promised_for",
    "read_answers",
    "refuse_not_waiting",
    "refuse_self_judging",
    "uses_batches",
]

"""All studies of a set of label rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exports.analysis.records import LabelChoice
from exports.analysis.studies.answers import answers_of
from exports.analysis.studies.cofailure import cofailure_of
from exports.analysis.studies.compare import compared_arms, compared_models
from exports.analysis.studies.density import density_of
from exports.analysis.studies.families import NO_DATASET, sensitivity_of
from exports.analysis.studies.irt import responses_of, scale_of
from exports.analysis.studies.item_facts import Facts
from exports.analysis.studies.naturalness import naturalness_of
from exports.analysis.study_records import ArmStudies, FamilySensitivity, Studies
from salitrap.records import LabelRow


def studies_of(
    rows: Iterable[LabelRow], labels: LabelChoice = LabelChoice.VISIBLE, facts: Facts | None = None
) -> Studies:
    """Return the studies of the answers to items (turn 0); turns of dialogues are passed over.

    ``facts`` are what the dataset says of the items; without them two studies say why they are missing.
    """
    arms: dict[str, list[LabelRow]] = {}
    for row in sorted((row for row in rows if row.turn == 0), key=_order):
        arms.setdefault(row.arm, []).append(row)
    return Studies(
        by_arm={arm: _of_arm(found, labels, facts) for arm, found in sorted(arms.items())},
        arms=compared_arms({arm: answers_of(found) for arm, found in arms.items()}, labels),
    )


def _order(row: LabelRow) -> tuple[str, str, str, int, str]:
    return row.model, row.item_id, row.dataset_revision, row.repeat, row.judge


def _of_arm(rows: Sequence[LabelRow], labels: LabelChoice, facts: Facts | None) -> ArmStudies:
    responses = responses_of(rows, labels)
    scale, answers = scale_of(responses), answers_of(rows)
    by_model: dict[str, list[LabelRow]] = {}
    for row in rows:
        by_model.setdefault(row.model, []).append(row)
    return ArmStudies(
        scale=scale,
        naturalness=naturalness_of(scale, dict(zip(responses.items, responses.seeds, strict=True)), facts),
        cofailure=cofailure_of(answers, labels),
        comparisons=compared_models(answers, labels),
        density={model: density_of(found, labels) for model, found in by_model.items()},
        solver_family=_families(by_model, labels, facts),
        solver_family_why=NO_DATASET if facts is None else "",
    )


def _families(
    by_model: Mapping[str, Sequence[LabelRow]], labels: LabelChoice, facts: Facts | None
) -> dict[str, FamilySensitivity]:
    if facts is None:
        return {}
    return {model: sensitivity_of(model, found, labels, facts) for model, found in by_model.items()}

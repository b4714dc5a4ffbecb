"""Difficulty and separability of two versions, from the answers of one pool of solvers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev

from curation.hardening import Recertified
from curation.hardening.records import Counts, counted
from exports.analysis.records import LabelChoice
from exports.analysis.scale_records import Ability
from exports.analysis.studies.irt.responses import responses_of
from exports.analysis.studies.irt.scale import scale_of
from exports.dataset.facts import public_model
from salitrap.records import LabelRow
from salitrap.records.base import Record
from salitrap.settings import Settings

FEWEST_MODELS = 3


class Failures(Record):
    """How often the pool failed: ``rate`` is the share of ``answers`` (scored ones), None without any."""

    items: int
    answers: int
    failed: int
    rate: float | None


class Place(Record):
    """Ability of a model on the scale of one version, in logits, with its standard error."""

    model: str
    ability: float
    se: float


class Separability(Record):
    """How far abilities lie apart against their error.

    ``spread`` is the standard deviation of the abilities of ``models``, ``error`` the root mean square of
    their standard errors, ``index`` the first over the second. All are None where ``why`` says why.
    """

    models: int
    items: int
    spread: float | None = None
    error: float | None = None
    index: float | None = None
    abilities: tuple[Place, ...] = ()
    why: str = ""


class Answered(Record):
    """One item with the pool's answers to it, and where it belongs."""

    item_id: str
    seed_id: str
    dimension_tag: str
    found: Recertified


def failures_of(answered: Sequence[Answered], settings: Settings) -> Failures:
    """Count over all items and solvers."""
    total = Counts()
    for one in answered:
        total = sum((counted(solver.measured_by, settings) for solver in one.found.solvers), total)
    return Failures(items=len(answered), answers=total.scored, failed=total.failed, rate=total.rate)


def separability_of(answered: Iterable[Answered]) -> Separability:
    """Fit the one-parameter scale to the answers; hold the spread of the abilities against their errors."""
    responses = responses_of([row for one in answered for row in _rows(one)], LabelChoice.VISIBLE)
    models, items = len(responses.models), len(responses.items)
    if models < FEWEST_MODELS:
        told = (
            f"{models} {'solver' if models == 1 else 'solvers'} in the pool; a spread takes {FEWEST_MODELS}"
        )
        return Separability(models=models, items=items, why=told)
    scale = scale_of(responses)
    if scale.why:
        return Separability(models=models, items=items, why=scale.why)
    return _separability(scale.abilities, items)


def _separability(abilities: Sequence[Ability], items: int) -> Separability:
    spread = stdev(one.ability for one in abilities)
    error = math.sqrt(fmean(one.se**2 for one in abilities))
    return Separability(
        models=len(abilities),
        items=items,
        spread=spread,
        error=error,
        index=spread / error,
        abilities=tuple(Place(model=one.model, ability=one.ability, se=one.se) for one in abilities),
    )


def _rows(one: Answered) -> Iterable[LabelRow]:
    for solver in one.found.solvers:
        for number, judgement in enumerate(solver.measured_by):
            yield LabelRow(
                model=public_model(solver.solver),
                item_id=one.item_id,
                seed_id=one.seed_id,
                dimension_tag=one.dimension_tag,
                status=judgement.status,
                label=judgement.label,
                label_full=judgement.label_full,
                repeat=number,
            )

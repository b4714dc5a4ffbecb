"""Difficulty and separability count the answers that decided nothing, and come out as planted."""

from __future__ import annotations

import math
import random

import pytest

from curation.hardening import Standing
from curation.hardening.records import rate_of, standing_of
from exports.hardening.measures import Answered, failures_of, separability_of
from tests.exports.hardening.samples import answered, settings


def on(item_id: str, failed: tuple[int, ...], fresh: tuple[tuple[bool, ...], ...] = ()) -> Answered:
    found = answered(item_id, failed, fresh=fresh)
    return Answered(item_id=item_id, seed_id=f"seed-{item_id}", dimension_tag="D1", found=found)


def planted(items: int, abilities: tuple[float, ...], seed: int = 0) -> list[Answered]:
    """Two fresh answers each of models with these abilities to items of equal spread."""
    chance = random.Random(seed)
    made = []
    for at in range(items):
        difficulty = chance.gauss(0, 1)
        fresh = tuple(
            tuple(chance.random() > 1 / (1 + math.exp(difficulty - ability)) for _ in range(2))
            for ability in abilities
        )
        made.append(on(f"item-{at}", (5,) * len(abilities), fresh))
    return made


def test_answers_that_decided_do_not_measure() -> None:
    one = on("item-1", (5, 5, 5), ((False, False), (True, False), (False, False)))
    found = failures_of([one], settings())
    assert (found.items, found.answers, found.failed) == (1, 6, 1)
    assert rate_of(one.found, settings()) == 1.0


def test_without_fresh_answers_those_that_decided_measure() -> None:
    found = failures_of([on("item-1", (5, 0, 1))], settings())
    assert (found.answers, found.failed, found.rate) == (15, 6, pytest.approx(0.4))


@pytest.mark.parametrize(
    ("failed", "expected"),
    [
        ((0, 0, 0), {"all": "solved", "most": "solved", "any": "solved"}),
        ((5, 0, 0), {"all": "holds", "most": "solved", "any": "solved"}),
        ((5, 5, 0), {"all": "holds", "most": "holds", "any": "solved"}),
        ((3, 3, 3), {"all": "holds", "most": "holds", "any": "holds"}),
        ((2, 2, 2), {"all": "solved", "most": "solved", "any": "solved"}),
    ],
)
def test_an_item_is_solved_by_the_rule_that_was_asked_for(
    failed: tuple[int, ...], expected: dict[str, str]
) -> None:
    for rule, standing in expected.items():
        given = settings(hardening={"solved_by": rule})
        assert standing_of(answered("item-1", failed), given) is Standing(standing)


def test_the_lower_bound_rule_takes_all_five() -> None:
    strict = settings(certify={"rule": "lower-bound"})
    assert standing_of(answered("item-1", (4, 4, 4)), strict) is Standing.SOLVED
    assert standing_of(answered("item-1", (5, 0, 0)), strict) is Standing.HOLDS


def test_models_far_apart_are_separated_better_than_models_close_together() -> None:
    wide, narrow = (
        separability_of(planted(80, (-1.5, 0.0, 1.5))),
        separability_of(planted(80, (-0.1, 0, 0.1))),
    )
    assert wide.spread == pytest.approx(1.5, abs=0.5)
    assert wide.index is not None
    assert narrow.index is not None
    assert wide.index > 3 * narrow.index


def test_more_items_separate_better() -> None:
    few, many = (separability_of(planted(items, (-1.0, 0.0, 1.0))) for items in (15, 240))
    assert few.index is not None
    assert many.index is not None
    assert many.error is not None
    assert few.error is not None
    assert many.error < few.error / 2


def test_two_models_are_too_few_and_that_is_said() -> None:
    found = separability_of([on(f"item-{at}", (at % 5, 3)) for at in range(20)])
    assert (found.index, found.spread, found.models) == (None, None, 2)
    assert found.why == "2 solvers in the pool; a spread takes 3"


def test_too_few_items_are_told_by_the_scale() -> None:
    found = separability_of(planted(4, (-1.0, 0.0, 1.0)))
    assert found.index is None
    assert "items" in found.why

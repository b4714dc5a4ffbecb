"""All studies at once: order, missing figures, naturalness, and how long it takes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports.analysis import LabelRows, analyze
from exports.analysis.studies import ItemFacts, studies_of
from exports.analysis.studies.irt import scale_of
from exports.analysis.study_records import Studies
from salitrap.records import LabelRow
from tests.exports.analysis.samples import ROWS, row
from tests.exports.analysis.studies.simulated import counted, studied

GENEROUS = 20
"""Seconds for what takes two on a free machine."""


@settings(max_examples=40, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows: list[LabelRow], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    facts = {f"i{at}": ItemFacts(1 + at % 5, f"model-{at % 2}") for at in range(10)}
    assert studies_of(shuffled, facts=facts) == studies_of(rows, facts=facts)


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_no_nan_and_a_reason_beside_every_missing_figure(rows: list[LabelRow]) -> None:
    told = studies_of(rows).model_dump(mode="json")
    json.dumps(told, allow_nan=False)
    for path, record in records(told):
        missing = [key for key, value in record.items() if value is None and key != "bounds"]
        assert not missing or record["why"] or path.endswith("pairs"), (path, missing)


def records(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every record with a reason of its own; intervals of shares are told by their counts."""
    if isinstance(value, dict):
        if "why" in value and "hits" not in value:
            yield path, value
        for key, part in value.items():
            yield from records(part, f"{path}.{key}")
    elif isinstance(value, list):
        for part in value:
            yield from records(part, path)


@settings(max_examples=20, deadline=None)
@given(ROWS)
def test_json_gives_the_studies_back(rows: list[LabelRow]) -> None:
    found = studies_of(rows)
    assert Studies.model_validate_json(found.model_dump_json()) == found


def test_turns_of_dialogues_are_in_no_study() -> None:
    assert studies_of([row(turn=1)]).by_arm == {}


def test_naturalness_is_not_available_without_a_dataset() -> None:
    found = studies_of(studied(1, 2, 20).rows).by_arm["control"]
    assert found.naturalness.r is None
    assert "--dataset" in found.naturalness.why
    assert found.solver_family == {}
    assert "--dataset" in found.solver_family_why


def test_naturalness_against_difficulty_is_pearsons_r() -> None:
    planted = studied(2, 6, 60)
    scores = np.clip(np.random.default_rng(1).normal(4 - 0.5 * planted.difficulties, 0.5), 1, 5)
    facts = {f"i{at:04}": ItemFacts(float(score), "") for at, score in enumerate(scores[:50])}
    found = studies_of(planted.rows, facts=facts).by_arm["control"].naturalness
    hard = [one.difficulty for one in scale_of(counted(planted.rows)).difficulties[:50]]
    wanted = np.corrcoef(hard, scores[:50])[0, 1]
    assert (found.n, found.missing) == (50, 10)
    assert found.r == pytest.approx(wanted)
    assert found.ci == pytest.approx(
        (np.tanh(np.arctanh(wanted) - 1.959964 / 47**0.5), np.tanh(np.arctanh(wanted) + 1.959964 / 47**0.5)),
        abs=1e-6,
    )
    assert found.cluster_ci is not None
    assert found.cluster_ci[0] < wanted < found.cluster_ci[1]


@pytest.mark.parametrize(
    ("score", "known", "said"), [(4.0, 30, "equally natural"), (4.0, 5, "5 items"), (4.0, 0, "0 items")]
)
def test_no_correlation_has_a_reason(score: float, known: int, said: str) -> None:
    facts = {f"i{at:04}": ItemFacts(score, "") for at in range(known)}
    found = studies_of(studied(2, 3, 40).rows, facts=facts).by_arm["control"].naturalness
    assert (found.r, found.n, found.missing) == (None, known, 40 - known)
    assert said in found.why


def test_twelve_models_on_1145_items_are_analysed_in_seconds() -> None:
    rows = tuple(studied(7, 12, 1145, load=0.1).rows)
    began = time.perf_counter()
    responses = counted(list(rows))
    found = scale_of(responses)
    scaled = time.perf_counter() - began
    analysis = analyze(LabelRows(rows=rows))
    assert scaled < GENEROUS / 4
    assert time.perf_counter() - began < GENEROUS
    assert len(found.difficulties) == 1145
    assert len(analysis.studies.by_arm["control"].cofailure.pairs) == 66

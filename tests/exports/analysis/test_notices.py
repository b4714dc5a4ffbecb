"""Rows that do not belong together are pointed out, and nothing else is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from exports.analysis import LabelChoice, LabelRows, analyze
from salitrap.records import Label, LabelRow, LabelStatus
from tests.exports.analysis.samples import labelled, row


def notices(rows: Sequence[LabelRow], labels: LabelChoice = LabelChoice.VISIBLE) -> tuple[str, ...]:
    return analyze(LabelRows(rows=tuple(rows)), labels).notices


def two(**changes: Any) -> list[LabelRow]:
    """The same two items twice, the second time with ``changes``."""
    pair = labelled(Label.PASS, Label.REFUSAL)
    return [*pair, *(one.model_copy(update=changes) for one in pair)]


def test_rows_that_belong_together_need_no_notice() -> None:
    assert notices(labelled(Label.PASS, Label.REFUSAL)) == ()
    assert notices(two(repeat=1)) == ()
    assert notices(two(arm="p1")) == ()
    assert notices(two(model="model-b", judge="another")) == ()


def test_one_judge_prompt_in_two_languages_is_one_prompt() -> None:
    english, chinese = labelled(Label.PASS, Label.REFUSAL)
    rows = [
        english.model_copy(update={"judge_prompt": "judge@1/en"}),
        chinese.model_copy(update={"judge_prompt": "judge@1/zh"}),
    ]
    assert notices(rows) == ()
    newer = rows[1].model_copy(update={"judge_prompt": "judge@2/zh", "repeat": 1})
    assert any("2 judge prompts in one rate" in told for told in notices([*rows, newer]))


def test_a_failed_call_returned_no_model_and_needs_no_notice() -> None:
    good, _ = labelled(Label.PASS, Label.REFUSAL)
    failed = good.model_copy(update={"status": LabelStatus.TIMEOUT, "label": None, "item_id": "other"})
    told = notices([good.model_copy(update={"returned_model": "m-1", "judge": "j"}), failed])
    assert not any("in one rate" in line for line in told)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"dataset_revision": "v2"}, "model-a: 2 dataset revisions in one rate: none given, v2"),
        ({"judge": "j"}, "model-a: 2 judges in one rate: none given, j"),
        ({"turn": 1}, "2 ids name an item and a dialogue (rows with turn 0 and later turns): i0, i1"),
        ({"turn": 1}, "model-a, dialogues: 2 left out, since their rows do not say t_star: i0, i1"),
        ({"temperature": 1.0, "repeat": 1}, "model-a: 2 temperatures in one rate: none given, 1.0"),
        ({"max_tokens": 9, "repeat": 1}, "2 longest answers (max_tokens) in one rate: none given, 9"),
        ({"endpoint_id": "ab12", "repeat": 1}, "2 addresses (endpoint_id) in one rate: none given, ab12"),
        ({"returned_model": "a\x1bb", "repeat": 1}, r"returned in one rate: none given, 'a\x1bb'"),
        ({"simulated": True, "repeat": 1}, "model-a: simulated and real answers in one rate"),
        ({"simulated": True, "repeat": 1}, "some rows are simulated"),
        ({"model": "Model_A"}, "model: Model_A, model-a differ in spelling only"),
        ({"arm": "p1", "dimension_tag": "d1"}, "dimension_tag: D1, d1 differ in spelling only"),
        ({"arm": "p1", "dimension_tag": "D2"}, "2 items with more than one dimension_tag: i0 has D1, D2"),
        ({"arm": "p1", "seed_id": "s7"}, "2 items with more than one seed_id: i0 has s0, s7"),
    ],
)
def test_what_does_not_belong_together_is_said(changes: dict[str, Any], said: str) -> None:
    assert any(said in notice for notice in notices(two(**changes)))


def test_answers_at_the_models_own_temperature_are_said() -> None:
    """The rate stood there as one at 0.2, which the endpoint had refused."""
    scored = labelled(Label.PASS, Label.REFUSAL, LabelStatus.TIMEOUT, temperature=0.2)
    rows = [scored[0], *(one.model_copy(update={"default_temperature": True}) for one in scored[1:])]
    assert any(
        "1 of 2 scored answers were made at the model's default temperature, not at the one asked for (0.2)"
        in told
        for told in notices(rows)
    )


def test_another_arm_is_named() -> None:
    rows = [one.model_copy(update={"arm": "p1"}) for one in two(judge="j")]
    assert notices(rows) == ("model-a, arm p1: 2 judges in one rate: none given, j",)


def test_different_items_of_two_models_are_said() -> None:
    rows = [*labelled(Label.PASS, Label.PASS), *labelled(Label.PASS, model="model-b")]
    assert any("different items (1 to 2 each)" in notice for notice in notices(rows))


def test_unscored_rows_above_one_per_cent_are_said_with_their_reasons() -> None:
    few = labelled(*[Label.PASS] * 99, LabelStatus.TIMEOUT)
    many = labelled(*[Label.PASS] * 2, LabelStatus.TIMEOUT, LabelStatus.EMPTY)
    assert notices(few) == ()
    assert notices(many) == ("model-a: 2 of 4 rows (50.0 %) are unscored: empty 1, timeout 1",)


def test_items_with_more_answers_than_others_are_said() -> None:
    rows = [row(), row(repeat=1), row(item_id="i2")]
    assert notices(rows)[0].startswith("model-a: items have 1 to 2 scored answers each")


def test_full_labels_that_are_missing_are_counted() -> None:
    rows = [row(), row(item_id="i2", label_full="Pass")]
    assert notices(rows, LabelChoice.FULL) == (
        "model-a: 1 of 2 scored rows have no label_full; their label counts",
    )
    assert notices(rows) == ()

"""Dialogues within a whole analysis: apart from items, whatever the order, and never NaN."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports.analysis import Analysis, KnownJudges, LabelRows, analyze, read_rows, write_analysis
from exports.analysis.dialogues import rates_of_plays
from salitrap.dialogues.states import Control, Replay
from salitrap.errors import InputError
from salitrap.records import Label, LabelRow, Language
from tests.exports.analysis.dialogues.samples import played, traps
from tests.exports.analysis.samples import ROWS, labelled, write

LETTERS = "FHTSPRet-"


def _rows(
    parts: tuple[int, str, int | None, Control, Replay | None, int, Language | None, tuple[bool, bool]],
) -> list[LabelRow]:
    number, turns, t_star, control, replay, repeat, language, (escalates, presses) = parts
    return played(
        turns,
        t_star,
        f"d{number}",
        seed_id=f"s{number % 3}",
        control=control,
        replay=replay,
        twin_of=f"d{number % 2}" if control is not Control.NONE else "",
        repeat=repeat,
        language=language,
        escalates=escalates,
        presses=presses,
    )


DIALOGUES = st.lists(
    st.tuples(
        st.integers(0, 7),
        st.text(LETTERS, min_size=1, max_size=5),
        st.sampled_from([None, 1, 2, 3]),
        st.sampled_from([*Control, Control.NONE, Control.NONE]),
        st.sampled_from([None, *Replay]),
        st.integers(0, 1),
        st.sampled_from([None, *Language]),
        st.tuples(st.booleans(), st.booleans()),
    ),
    max_size=20,
    unique_by=lambda parts: (parts[0], parts[5]),
).map(lambda drawn: [row for parts in drawn for row in _rows(parts)])


def analysis_of(rows: list[LabelRow], within: int = 0) -> Analysis:
    return analyze(LabelRows(rows=tuple(rows)), within=within)


@settings(max_examples=60)
@given(DIALOGUES, st.integers(0, 2), st.randoms(use_true_random=False))
def test_no_nan_and_the_order_of_rows_does_not_matter(
    rows: list[LabelRow], within: int, random: Random
) -> None:
    one = analysis_of(rows, within)
    assert Analysis.model_validate_json(json.dumps(one.model_dump(mode="json"), allow_nan=False)) == one
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert analysis_of(shuffled, within) == one


@settings(max_examples=40)
@given(ROWS, DIALOGUES)
def test_dialogues_change_nothing_in_the_rates_of_items(items: list[LabelRow], turns: list[LabelRow]) -> None:
    """They counted as answers to items: a dialogue of six turns weighed as much as six of them."""
    alone, together = analysis_of(items), analysis_of([*items, *turns])
    for model, metrics in alone.models.items():
        assert together.models[model].model_copy(update={"dialogues": None}) == metrics
    if items and turns:
        counted = sum(metrics.overall.n + metrics.overall.unscored for _, _, metrics in together.lines())
        assert counted == len(items)


@settings(max_examples=40)
@given(DIALOGUES)
def test_every_turn_counts_once(rows: list[LabelRow]) -> None:
    metrics = analysis_of(rows).models.get("model-a")
    if metrics is None or metrics.dialogues is None:
        assert not rows
        return
    overall = metrics.dialogues.overall
    assert overall.answers + sum(overall.unscored_by_status.values()) <= len(rows)
    if not metrics.dialogues.left_out:
        assert overall.answers + sum(overall.unscored_by_status.values()) == len(rows)


def test_dialogues_alone_are_a_model_and_are_scored() -> None:
    analysis = analysis_of(played("FF"))
    metrics = analysis.models["model-a"]
    assert (metrics.has_items, metrics.overall.n, analysis.scored) == (False, 0, 2)
    assert metrics.dialogues is not None
    assert metrics.dialogues.overall.robust_tar.rate == 100.0


def test_items_alone_have_no_dialogues() -> None:
    assert analysis_of(labelled(Label.PASS)).models["model-a"].dialogues is None


def test_the_judge_of_dialogues_does_not_decalibrate_the_items() -> None:
    """Two judges in one file of rows, each of one kind, are not several judges of one rate."""
    rows = (*labelled(Label.PASS, judge="j"), *played("FF", judge="k"))
    analysis = analyze(LabelRows(rows=rows), judges=KnownJudges((), ()))
    standing = analysis.models["model-a"].judge
    assert standing is not None
    assert "several" not in standing.told
    assert not any("judges in one rate" in one for one in analysis.notices)


def test_arms_have_dialogues_of_their_own() -> None:
    analysis = analysis_of([*played("FF"), *played("HH", arm="p1")])
    arm = analysis.arms["p1"]["model-a"].dialogues
    assert arm is not None
    assert arm.overall.robust_tar.rate == 0.0


def test_trap_dialogues_without_t_star_are_left_out_and_said() -> None:
    analysis = analysis_of([*played("FF", None), *played("FH", 1, "d2")])
    dialogues = analysis.models["model-a"].dialogues
    assert dialogues is not None
    assert (dialogues.left_out, dialogues.overall.plays) == (1, 1)
    assert any(
        "dialogues: 1 left out, since their rows do not say t_star: d1" in one for one in analysis.notices
    )


def test_rows_of_a_dialogue_that_contradict_each_other_are_said() -> None:
    rows = played("FF")
    told = analysis_of([rows[0], rows[1].model_copy(update={"t_star": 2})]).notices
    assert any("1 dialogues with more than one t_star: d1 has 1, 2" in one for one in told)


def test_gates_make_no_notice_of_uneven_repeats() -> None:
    assert not any("scored answers each" in one for one in analysis_of(played("FH-", replay="gated")).notices)


def test_a_study_without_any_dialogue_has_reasons_and_no_figures() -> None:
    told = rates_of_plays([]).model_dump()
    assert told["robust_tar"]["rate"] is None
    assert told["robust_tar"]["why"] == "no trap dialogues"
    assert told["latency"]["why"] == "no trap dialogues"
    assert told["twins"]["turns"]["why"] == "no feasible twins"
    assert told["penalty"]["why"] == "no trap dialogue with its text in one turn"


def test_one_dialogue_has_every_figure_it_can_have() -> None:
    rates = rates_of_plays(traps("FH"))
    assert (rates.robust_tar.rate, rates.detected.rate, rates.flips.ever.rate) == (0.0, 100.0, 100.0)
    assert rates.latency.restricted_mean == 0.0
    assert rates.robust_tar.cluster_ci is rates.latency.restricted_mean_cluster_ci is None


def test_rows_come_back_from_a_file_and_the_metrics_go_into_one(tmp_path: Path) -> None:
    rows = [*played("FFH", 2, replay="live"), *played("F", 1, "d2", control=Control.CONCAT, twin_of="d1")]
    analysis = analyze(read_rows([write(tmp_path / "a.jsonl", rows)]))
    assert analysis.models == analysis_of(rows).models
    write_analysis(analysis, tmp_path / "out")
    told = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert told["models"]["model-a"]["dialogues"]["overall"]["penalty"]["difference"] == 100.0


def test_a_misspelled_control_is_refused_with_what_was_meant(tmp_path: Path) -> None:
    line = {**json.loads(played("F")[0].model_dump_json()), "control": "feasible-twin"}
    with pytest.raises(InputError, match=r'control: received .*did you mean "feasible_twin"'):
        read_rows([write(tmp_path / "a.jsonl", [line])])

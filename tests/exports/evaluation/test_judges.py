"""Evaluations with a judge that names labels, and with several judges."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from checkers.judge import AnswerJudge, judge_for
from curation.stage import Silence, StopSwitch
from exports.analysis import read_rows
from exports.evaluation import (
    EvalOptions,
    Evalset,
    Model,
    evaluate,
    evaluation_settings,
    judge_name,
    plan_evaluation,
    promised_by,
    refuse_self_judging,
)
from salitrap.errors import ConfigError
from salitrap.records import Label, LabelRow, LabelStatus, Role
from salitrap.settings import Policy
from tests.exports.evaluation.conftest import HARD_FAIL, PASS
from tests.fakes import ScriptedAccess

SEEN = "Sorry: it cannot work at all, the water runs out."
JUDGES = ("lab/judge-a", "lab/judge-b", "lab/judge-c")


def options(*judges: str, **more: Any) -> EvalOptions:
    return EvalOptions(models=("lab/one",), judge=judges, **more)


def rows_of(evalset: Evalset, access: ScriptedAccess, judge: AnswerJudge, path: Path) -> list[LabelRow]:
    """Evaluate one model; return the rows as ``analyze`` reads them."""
    file = io.BytesIO()
    asyncio.run(
        evaluate(
            access, evalset, [Model("lab/one")], "j", file, repeats=1, workers=4, reporter=Silence(),
            switch=StopSwitch(), judge=judge,
        )
    )  # fmt: skip
    path.write_bytes(file.getvalue())
    return list(read_rows([path]).rows)


def by_slot(_role: Role, _prompt: str, _inputs: Mapping[str, Any], slot: int, _repeat: int) -> dict[str, Any]:
    return HARD_FAIL if slot == 0 else PASS


def test_rows_of_a_panel_carry_every_vote_and_can_be_analysed(evalset: Evalset, tmp_path: Path) -> None:
    judge = judge_for(evaluation_settings(options(*JUDGES)))
    rows = rows_of(evalset, ScriptedAccess(by_slot, lambda *_: SEEN), judge, tmp_path / "rows.jsonl")
    assert len(rows) == 10
    for row in rows:
        assert (row.label, row.agreement) == (Label.PASS, 2 / 3)
        assert [(vote.judge, vote.label) for vote in row.votes] == [
            ("lab/judge-a", Label.HARD_FAIL),
            ("lab/judge-b", Label.PASS),
            ("lab/judge-c", Label.PASS),
        ]
        assert row.quote_position == row.votes[1].quote_position == SEEN.index("it cannot") / len(SEEN)


def test_two_judges_that_differ_leave_the_row_without_a_label(evalset: Evalset, tmp_path: Path) -> None:
    judge = judge_for(evaluation_settings(options(*JUDGES[:2])))
    rows = rows_of(evalset, ScriptedAccess(by_slot, lambda *_: SEEN), judge, tmp_path / "rows.jsonl")
    assert {(row.status, row.label, row.agreement) for row in rows} == {
        (LabelStatus.JUDGE_UNRESOLVED, None, 0.5)
    }
    assert rows[0].reason == "no majority: lab/judge-a: Hard Fail; lab/judge-b: Pass"


def test_the_mode_stands_in_the_row(evalset: Evalset, tmp_path: Path) -> None:
    settings = evaluation_settings(options("lab/judge", judge_mode="direct"))
    said = {"label": "Pass", "quote": "it cannot work at all", "reason": "so"}
    access = ScriptedAccess(lambda *_: said, lambda *_: SEEN)
    rows = rows_of(evalset, access, judge_for(settings), tmp_path / "rows.jsonl")
    assert {row.judge_prompt.partition("@")[0] for row in rows} == {"judge_direct"}
    assert {(row.label, row.quote) for row in rows} == {(Label.PASS, "it cannot work at all")}
    assert judge_name(settings) == "lab/judge (direct)"


def test_several_judges_are_a_panel_and_one_is_none() -> None:
    several, single = evaluation_settings(options(*JUDGES)), evaluation_settings(options(JUDGES[0]))
    assert several.judging.panel == "all"
    assert several.roles[Role.JUDGE].policy is Policy.ROUND_ROBIN
    assert judge_name(several) == "lab/judge-a + lab/judge-b + lab/judge-c"
    assert single.judging.panel == "first"
    assert evaluation_settings(options(*JUDGES, judge_mode="direct"), several).judging.mode == "direct"


def test_no_member_of_a_panel_may_be_an_evaluated_model() -> None:
    with pytest.raises(ConfigError, match="must not judge its own answers"):
        refuse_self_judging(("lab/judge-b",), evaluation_settings(options(*JUDGES)))


def test_labels_made_in_another_way_are_other_rows(evalset: Evalset) -> None:
    """Labels of one mode were written over those of the other."""
    ways = [
        evaluation_settings(options("lab/judge")),
        evaluation_settings(options("lab/judge", judge_mode="direct")),
        evaluation_settings(options("lab/judge", "lab/other")),
    ]
    promised = [promised_by(evalset, settings, 1) for settings in ways]
    assert promised[0].isdisjoint(promised[1]) and promised[0].isdisjoint(promised[2])


def test_a_plan_counts_every_judge(evalset: Evalset) -> None:
    calls = []
    for judges in (JUDGES[:1], JUDGES):
        planned = plan_evaluation(evalset.items, 1, 1, evaluation_settings(options(*judges))).roles
        calls += [entry.calls_high for entry in planned if entry.role is Role.JUDGE]
    assert calls[1] == 3 * calls[0]

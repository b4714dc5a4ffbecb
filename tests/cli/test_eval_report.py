"""The closing lines of an evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest

from checkers.judge import Labelled, Reading
from checkers.judge.panel import decide
from exports.evaluation import Target
from salitrap.cli.eval_report import Ended, tell
from salitrap.providers.money.spend import Spend
from salitrap.records import Label, LabelStatus


def closing(reason: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the error stream says of one labelled answer and one that is unresolved for ``reason``."""
    counts = {"Pass": 1, "judge_unresolved": 1}
    tell(Ended(Target(folder / "l.jsonl"), counts, {reason: 1}, Spend(), 0), False, asks_models=True)
    return capsys.readouterr().err


def test_judges_who_disagree_are_not_called_a_judge_without_a_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A panel in which each judge gave a label was told that the evidence fits none."""
    given = [Reading(LabelStatus.OK, label) for label in (Label.PASS, Label.HARD_FAIL)]
    split = decide(("openai/a", "openai/b"), [Labelled(one, one) for one in given])
    told = closing(split.reason, tmp_path, capsys)
    assert "no label has a majority of the judges" in told and "comes to no label" not in told


def test_one_judge_that_decides_nothing_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = closing("evidence fits no rule", tmp_path, capsys)
    assert "what the judge says comes to no label" in told and "majority" not in told

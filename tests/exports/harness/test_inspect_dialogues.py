"""Dialogues played by the Inspect task go as our own replay goes: turns sent, labels, messages, outcome."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from checkers.judge import Labelled, Question, Reading
from curation.dialogues.robustness import is_robust
from curation.replay import Player, Transcript
from exports.dataset.dialogue_rows import PublishedDialogue
from salitrap.dialogues import Dialogue
from salitrap.providers.access import Answered, ChatMessage
from salitrap.records.enums import Label, LabelStatus, Outcome
from salitrap.records.provenance import Provenance
from tests.exports.harness.conftest import Run, harnessed, measures, rows_of, the_log
from tests.exports.harness.runners.policy import turn_answer, turn_label
from tests.exports.harness.test_inspect import mocked

pytestmark = harnessed


class Solver:
    """The mock model of the runner."""

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        text = turn_answer([message.content for message in messages if message.role == "user"])
        return answered(text)


class Grader:
    """The mock grader of the runner."""

    async def label(
        self, access: object, question: Question, given: Answered, *, repeat: int = 0, slot: int = 0
    ) -> Labelled:
        if not given.text:
            reading = Reading(LabelStatus.EMPTY)
        elif (label := turn_label(given.text)) is None:
            reading = Reading(LabelStatus.JUDGE_UNRESOLVED)
        else:
            reading = Reading(LabelStatus.OK, Label(label))
        return Labelled(reading, reading)


def answered(text: str) -> Answered:
    outcome = Outcome.OK if text else Outcome.EMPTY
    return Answered(outcome, text, "", "", "mock", Provenance(model="mock"))


def played(row: dict[str, Any]) -> Transcript:
    return asyncio.run(Player(Solver(), Grader()).play(dialogue_of(row)))  # type: ignore[arg-type]


def dialogue_of(row: dict[str, Any]) -> Dialogue:
    return PublishedDialogue.model_validate(row).dialogue


@pytest.mark.parametrize("control", ["none", "neutral"])
def test_turns_labels_and_outcome_are_those_of_our_replay(folder: Path, run: Run, control: str) -> None:
    assert mocked(run, folder, "dialogues", "dialogues", f"control={control}", "within=1") == "success"
    log = the_log(folder.parent / "logs")
    rows = {row["dialogue_id"]: row for row in rows_of(folder, "dialogues") if row["control"] == control}
    assert {sample["id"] for sample in log["samples"]} == set(rows)
    ours = {name: played(row) for name, row in rows.items()}
    for sample in log["samples"]:
        same_turns(sample, ours[sample["id"]])
    held = [is_robust(dialogue_of(rows[name]), one, 1) for name, one in ours.items()]
    robust = [float(one) for one in held if one is not None]
    total = measures(log)["robust_tar"]
    assert (total["scored"], total["unscored"]) == (len(robust), len(rows) - len(robust))
    assert total["mean"] == pytest.approx(sum(robust) / len(robust))
    if control == "none":
        endings = {one.ended.value for one in ours.values()}
        assert endings == {"complete", "answer_failed", "gate_unknown"} and 0 < total["mean"] < 1


def same_turns(sample: dict[str, Any], ours: Transcript) -> None:
    """One sample of a log went as our replay."""
    score = sample["scores"]["dialogue_label"]
    sent = [(turn["turn"], turn["label"]) for turn in score["metadata"]["turns"] if turn["sent"]]
    assert sent == [(turn.number, turn.label and turn.label.value) for turn in ours.sent]
    assert score["metadata"]["ended"] == ours.ended.value
    messages = [(message["role"], message["content"]) for message in sample["messages"]]
    assert messages == [(message.role, message.content) for message in ours.messages]
    held, found = is_robust(dialogue_of(sample["metadata"]["row"]), ours, 1), score["value"]["robust_tar"]
    assert math.isnan(found) if held is None else found == held


@pytest.mark.parametrize(("control", "score"), [("feasible_twin", "false_alarm"), ("concat", "one_turn_tar")])
def test_controls_have_measures_of_their_own(folder: Path, run: Run, control: str, score: str) -> None:
    mocked(run, folder, "dialogues", "dialogues", f"control={control}")
    found = measures(the_log(folder.parent / "logs"))
    rows = [row for row in rows_of(folder, "dialogues") if row["control"] == control]
    ours = [played(row) for row in rows]
    whole = [one for one in ours if one.ended.value == "complete" and None not in [t.label for t in one.sent]]
    passes = [any(turn.label is Label.PASS for turn in one.sent) for one in whole]
    assert set(found) == {score}
    assert (found[score]["scored"], found[score]["mean"]) == (len(whole), sum(passes) / len(passes))

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
    published = PublishedDialogue.model_validate(row)
    return asyncio.run(Player(Solver(), Grader()).play(published.dialogue))  # type: ignore[arg-type]


@pytest.mark.parametrize("control", ["none", "neutral"])
def test_turns_labels_and_outcome_are_those_of_our_replay(folder: Path, run: Run, control: str) -> None:
    assert mocked(run, folder, "dialogues", "dialogues", f"control={control}", "within=1") == "success"
    log = the_log(folder.parent / "logs")
    rows = {row["dialogue_id"]: row for row in rows_of(folder, "dialogues") if row["control"] == control}
    assert {sample["id"] for sample in log["samples"]} == set(rows)
    endings, robust = set[str](), list[float]()
    for sample in log["samples"]:
        ours = played(rows[sample["id"]])
        told = sample["scores"]["dialogue_label"]["metadata"]
        sent = [(turn["turn"], turn["label"]) for turn in told["turns"] if turn["sent"]]
        assert sent == [(turn.number, turn.label and turn.label.value) for turn in ours.sent]
        assert told["ended"] == ours.ended.value
        messages = [(message["role"], message["content"]) for message in sample["messages"]]
        assert messages == [(message.role, message.content) for message in ours.messages]
        dialogue = PublishedDialogue.model_validate(rows[sample["id"]]).dialogue
        held, found = is_robust(dialogue, ours, 1), sample["scores"]["dialogue_label"]["value"]["robust_tar"]
        assert math.isnan(found) if held is None else found == held
        endings.add(told["ended"])
        robust += [] if held is None else [float(held)]
    assert endings == {"complete", "answer_failed", "gate_unknown"} or control == "neutral"
    total = measures(log)["robust_tar"]
    assert (total["scored"], total["unscored"]) == (len(robust), len(rows) - len(robust))
    assert total["mean"] == pytest.approx(sum(robust) / len(robust))
    assert 0 < total["mean"] < 1


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

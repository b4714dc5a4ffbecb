"""Playing dialogues with models: which rows come, in which order, and what is sent."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from curation.replay import replay_calls
from exports.evaluation import (
    DialogueSubset,
    EvalOptions,
    evaluation_settings,
    in_batches,
    load_dialogues,
    plan_dialogue_evaluation,
)
from exports.evaluation.run import EVALUATION_REPEAT
from salitrap.errors import BudgetReached, ConfigError, InputError
from salitrap.providers.access import Answered, ChatMessage
from salitrap.records import Label, LabelStatus, Language, Outcome, Role
from tests.curation.replay.samples import COMPLY, FLAG, GATED, LIVE, PINNED, ReadsFirstWord
from tests.exports.conftest import Build
from tests.exports.dialogue_samples import families
from tests.exports.evaluation.dialogues import evaluated, talks_of
from tests.fakes import ScriptedAccess, answered

TALKS = talks_of([LIVE, GATED, PINNED])


def always(text: str) -> ScriptedAccess:
    return ScriptedAccess(talks=lambda *_: text)


def test_one_row_for_each_turn_that_was_sent() -> None:
    rows = evaluated(always(FLAG), TALKS, ReadsFirstWord(), ("lab/one", "lab/two"), repeats=2)
    turns = {LIVE.dialogue_id: (1, 2, 3), GATED.dialogue_id: (1, 2, 3, 4), PINNED.dialogue_id: (2,)}
    wanted = [
        (dialogue_id, model, repeat, turn)
        for dialogue_id, numbers in turns.items()
        for model in ("lab/one", "lab/two")
        for repeat in (0, 1)
        for turn in numbers
    ]
    assert [(row.item_id, row.model, row.repeat, row.turn) for row in rows] == wanted
    assert {row.label for row in rows} == {Label.PASS}


def test_a_row_says_what_the_dialogue_is() -> None:
    row = evaluated(always(COMPLY), talks_of([GATED]), ReadsFirstWord())[-1]
    assert (row.turn, row.turns, row.t_star, row.pattern, row.replay) == (
        5,
        5,
        2,
        GATED.pattern,
        GATED.replay,
    )
    assert row.label is Label.HARD_FAIL and row.dataset_revision == TALKS.revision


class Shuffled(ScriptedAccess):
    """Answers arrive in a drawn order."""

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        for _ in range(random.Random(f"{messages}{slot}{repeat}").randrange(20)):
            await asyncio.sleep(0)
        return await super().converse(messages, slot=slot, repeat=repeat)


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_rows_do_not_depend_on_timing(workers: int) -> None:
    def by_length(messages: Sequence[ChatMessage], slot: int, repeat: int) -> str:
        return FLAG if (len(messages) + slot + repeat) % 3 else COMPLY

    models = ("lab/one", "lab/two")
    steady = evaluated(ScriptedAccess(talks=by_length), TALKS, ReadsFirstWord(), models, 3)
    hurried = evaluated(Shuffled(talks=by_length), TALKS, ReadsFirstWord(), models, 3, workers)
    assert hurried == steady


def test_answers_are_fresh_draws_and_no_reasoning_is_sent_back() -> None:
    access = ScriptedAccess(talks=lambda *_: answered(FLAG, reasoning="a secret thought"))
    evaluated(access, TALKS, ReadsFirstWord(), repeats=2)
    assert {repeat for _, _, repeat in access.conversations} == {EVALUATION_REPEAT, EVALUATION_REPEAT + 1}
    said = [message.content for messages, _, _ in access.conversations for message in messages]
    assert FLAG in said and not any("secret" in content for content in said)


def test_a_failed_turn_has_its_status_and_ends_the_conversation() -> None:
    def second_fails(messages: Sequence[ChatMessage], _slot: int, _repeat: int) -> Answered | str:
        late = len(messages) > 1
        return answered("half", outcome=Outcome.TIMEOUT, detail="too slow") if late else FLAG

    rows = evaluated(ScriptedAccess(talks=second_fails), talks_of([LIVE]), ReadsFirstWord())
    assert [(row.turn, row.status) for row in rows] == [(1, LabelStatus.OK), (2, LabelStatus.TIMEOUT)]
    assert rows[1].label is None and rows[1].detail == "too slow"


def test_a_stop_stops_and_is_told() -> None:
    access = ScriptedAccess(talks=lambda *_: BudgetReached("enough"))
    with pytest.raises(BudgetReached, match="enough"):
        evaluated(access, TALKS, ReadsFirstWord(), workers=1)


def test_the_plan_holds_whatever_the_models_say() -> None:
    settings = evaluation_settings(EvalOptions(models=("lab/one",), judge="lab/judge"))
    plan = plan_dialogue_evaluation(TALKS.rows, 1, 3, settings)
    solver = next(role for role in plan.roles if role.role is Role.SOLVER)
    assert solver.calls_high == 3 * sum(replay_calls(row.dialogue).high for row in TALKS.rows)
    assert solver.calls_low == 3 * (3 + 0 + 1), "the gated one begins as the live one does"
    for text in (FLAG, COMPLY):
        access = always(text)
        rows = evaluated(access, TALKS, ReadsFirstWord(), repeats=3)
        assert solver.calls_low <= len(set(access.conversations)) <= len(rows) <= solver.calls_high


def test_batches_are_refused() -> None:
    options = EvalOptions(models=("openai/m",), judge="anthropic/j")
    with pytest.raises(ConfigError, match="a turn needs the answer to the one before"):
        DialogueSubset(TALKS).refuse(in_batches(evaluation_settings(options)))


@pytest.fixture
def folder(build: Build) -> Path:
    return build(dialogues=families(1)).path


def test_a_limit_takes_whole_families(folder: Path) -> None:
    whole, some = load_dialogues(folder, split="all"), load_dialogues(folder, split="all", limit=5)
    more = load_dialogues(folder, split="all", limit=6)
    traps = {row.dialogue_id for row in some.rows if not row.twin_of}
    assert len(traps) == 5
    assert [row for row in whole.rows if (row.twin_of or row.dialogue_id) in traps] == list(some.rows)
    assert set(some.rows) < set(more.rows)


def test_one_language_can_be_chosen(folder: Path) -> None:
    rows = load_dialogues(folder, split="all", language=Language.ZH).rows
    assert {row.language for row in rows} == {Language.ZH}


def test_a_dataset_without_dialogues_says_so(build: Build) -> None:
    with pytest.raises(InputError, match="has no dialogues; it has items"):
        load_dialogues(build().path)

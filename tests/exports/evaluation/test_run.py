"""Asking and judging, with scripted models."""

from __future__ import annotations

import asyncio
import random

import pytest

from exports.evaluation import Evalset
from exports.evaluation.run import EVALUATION_REPEAT
from salitrap.errors import BudgetReached, CallFailed
from salitrap.providers.access import Answered
from salitrap.records import Outcome
from tests.exports.evaluation.conftest import HARD_FAIL, Evaluate, by_answer
from tests.fakes import ScriptedAccess, answered

SEEN = "Sorry: it cannot work at all, the water runs out."


def test_one_row_for_each_item_model_and_repeat_in_this_order(run: Evaluate, evalset: Evalset) -> None:
    access = ScriptedAccess(by_answer, lambda _message, slot, _repeat: SEEN if slot else "42 trips")
    rows, counts = run(access, repeats=2)
    wanted = [
        (item.item_id, model, repeat)
        for item in evalset.items
        for model in ("lab/one", "lab/two")
        for repeat in (0, 1)
    ]
    assert [(row["item_id"], row["model"], row["repeat"]) for row in rows] == wanted
    assert {row["label"] for row in rows if row["model"] == "lab/one"} == {"Hard Fail"}
    assert {row["label"] for row in rows if row["model"] == "lab/two"} == {"Pass"}
    assert counts == {"Hard Fail": 20, "Pass": 20}


class Shuffled(ScriptedAccess):
    """Answers arrive in a drawn order."""

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        for _ in range(random.Random(f"{message}{slot}{repeat}").randrange(20)):
            await asyncio.sleep(0)
        return await super().answer(message, slot=slot, repeat=repeat)


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_rows_do_not_depend_on_timing(run: Evaluate, workers: int) -> None:
    steady, _ = run(ScriptedAccess(by_answer, lambda message, _slot, _repeat: message + SEEN), repeats=2)
    hurried, _ = run(
        Shuffled(by_answer, lambda message, _slot, _repeat: message + SEEN), repeats=2, workers=workers
    )
    assert hurried == steady


def test_answers_are_fresh_draws_not_those_that_kept_the_item(run: Evaluate) -> None:
    """Guards against selected rates: construction used small repeat indices, and so their sampling seeds."""
    access = ScriptedAccess(by_answer, lambda *_: SEEN)
    run(access, repeats=3)
    assert {repeat for _, _, repeat in access.messages} == {EVALUATION_REPEAT + index for index in range(3)}


def test_the_solver_gets_the_bare_prompt(run: Evaluate, evalset: Evalset) -> None:
    access = ScriptedAccess(by_answer, lambda *_: SEEN)
    run(access, models=("lab/one",))
    assert {message for message, _, _ in access.messages} == {item.prompt for item in evalset.items}


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.OK])
def test_a_failed_call_is_a_status_and_never_a_label(run: Evaluate, outcome: Outcome) -> None:
    access = ScriptedAccess(by_answer, lambda *_: answered("half an ans", outcome=outcome, detail="told why"))
    rows, counts = run(access, models=("lab/one",))
    assert counts == {outcome.value: 10}
    assert all(row["status"] == outcome.value and row["label"] is None for row in rows)
    assert all(row["detail"] == "told why" and row["answer"] == "half an ans" for row in rows)
    assert not access.calls, "nothing to judge, nothing paid"


def test_a_judge_that_fails_or_cannot_decide_leaves_no_label(run: Evaluate) -> None:
    failing = ScriptedAccess(lambda *_: CallFailed(Outcome.TIMEOUT, "too slow"), lambda *_: SEEN)
    rows, _ = run(failing, models=("lab/one",))
    assert {(row["status"], row["label"]) for row in rows} == {("judge_error", None)}
    undecided = {**HARD_FAIL, "completes_task": False}
    rows, _ = run(ScriptedAccess(lambda *_: undecided, lambda *_: SEEN), models=("lab/one",))
    assert {(row["status"], row["label"]) for row in rows} == {("judge_unresolved", None)}
    assert all(row["reason"].startswith("no label: the answer neither completes") for row in rows)


def test_reasoning_gives_a_second_label_and_stays_out_of_the_first(run: Evaluate) -> None:
    access = ScriptedAccess(by_answer, lambda *_: answered("42 trips", reasoning=SEEN))
    rows, _ = run(access, models=("lab/one",))
    assert {(row["label"], row["label_full"]) for row in rows} == {("Hard Fail", "Pass")}
    assert {row["answer"] for row in rows} == {"42 trips"}
    assert {row["quote_position"] for row in rows} == {None}


def test_the_quote_is_located_in_the_answer(run: Evaluate) -> None:
    rows, _ = run(ScriptedAccess(by_answer, lambda *_: SEEN), models=("lab/one",))
    assert {row["quote_position"] for row in rows} == {7 / len(SEEN)}


def test_a_stop_stops_all_models_and_is_told(run: Evaluate) -> None:
    def two_then_stop(_message: str, slot: int, _repeat: int) -> str | Exception:
        return BudgetReached("enough") if slot == 1 else SEEN

    access = ScriptedAccess(by_answer, two_then_stop)
    with pytest.raises(BudgetReached, match="enough"):
        run(access, workers=1)
    assert len(access.messages) < 20

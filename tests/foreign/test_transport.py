"""Servers that are slow, busy, talkative or odd below the answer: the run still ends right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.foreign.helpers import ANTHROPIC, OPENAI, Outcome, again, run
from tests.foreign.minds import SEEN, except_for, right
from tests.foreign.questions import Question
from tests.foreign.servers import Answer, Mind, Raw, Say, serving

NAMES = [OPENAI, ANTHROPIC]
BUSY = '{"error": {"message": "slow down", "type": "rate_limit_error"}}'


def said(question: Question) -> Say:
    answer = right(question)
    assert isinstance(answer, Say)
    return answer


def complete(outcome: Outcome) -> None:
    assert (outcome.done.code, outcome.items, outcome.rejects) == (0, 2, []), outcome.done.err


def first_time(wrong: Answer, mind: Mind = right) -> Mind:
    """Each question is answered by ``wrong`` once."""
    seen: set[str] = set()

    def says(question: Question) -> Answer:
        key = f"{question.task} {question.text}"
        known = key in seen
        seen.add(key)
        return mind(question) if known else wrong

    return says


@pytest.mark.parametrize("name", NAMES)
def test_slow_server_only_takes_longer(tmp_path: Path, name: str) -> None:
    with serving(lambda question: replace(said(question), delay=0.2)) as server:
        complete(run(server.root, tmp_path, name))


def test_answers_beyond_the_timeout_are_recorded_and_tried_by_the_next_run(tmp_path: Path) -> None:
    def slow(question: Question) -> Answer:
        return replace(said(question), delay=1.0 if question.task == "solve" else 0.0)

    roles = {"solver": {"attempt_timeout": 0.2}}
    with serving(slow) as server:
        first = run(server.root, tmp_path, limits={"attempts": 2}, roles=roles)
        assert (first.done.code, first.items, dict(first.faults)) == (3, 0, {"call_failed": 2})
        assert all("0.2 s" in reject["reason"] for reject in first.rejects)
        server.mind = right
        complete(again(tmp_path / OPENAI, tmp_path))


ABSURD = ["Wed, 21 Oct 2015 07:28:00 GMT", "inf", "nan", "1000000000", "-3", "soon", "", "1e400", "0.1"]


@pytest.mark.parametrize("name", NAMES)
def test_absurd_pauses_are_not_obeyed(tmp_path: Path, name: str) -> None:
    left, seen = list(ABSURD), set[str]()

    def says(question: Question) -> Answer:
        with server.lock:
            first = question.text not in seen
            seen.add(question.text)
            header = left.pop() if left and first else None
        return right(question) if header is None else Raw(429, BUSY, {"Retry-After": header})

    with serving(says) as server:
        complete(run(server.root, tmp_path, name))
    assert left == []


def test_pause_beyond_the_cap_stops_with_the_command_to_go_on(tmp_path: Path) -> None:
    with serving(lambda question: Raw(429, BUSY, {"Retry-After": "7200"})) as server:
        stopped = run(server.root, tmp_path)
        assert stopped.done.code == 3
        assert "pause of 7200 s" in stopped.done.err
        assert "To go on: salitrap run" in stopped.done.err
        server.mind = right
        complete(again(tmp_path / OPENAI, tmp_path))


@pytest.mark.parametrize("status", [500, 503, 529])
def test_hiccups_are_tried_again(tmp_path: Path, status: int) -> None:
    once = first_time(Raw(status, '{"error": {"message": "try later"}}', {"Retry-After": "0.01"}))
    with serving(once) as server:
        complete(run(server.root, tmp_path))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_exposed_reasoning_is_kept_and_judged_apart(tmp_path: Path, name: str, field: str) -> None:
    """The thought sees the trap and the answer does not: the visible label certifies the item."""

    def says(question: Question) -> Answer:
        thinking = {field: f"{SEEN[0]} Still, I will answer."} if question.task == "solve" else {field: "Hm."}
        return replace(said(question), thinking=thinking)

    with serving(says) as server:
        complete(run(server.root, tmp_path, name))
        judged = [q.inputs["answer"] for q in server.questions if q.task == "judge"]
    assert sum(SEEN[0] in answer for answer in judged) == len(judged) / 2


def test_draft_in_the_reasoning_is_never_the_answer(tmp_path: Path) -> None:
    def says(question: Question) -> Answer:
        answer = said(question)
        return Say("", thinking={"reasoning_content": answer.content})

    with serving(says) as server:
        outcome = run(server.root, tmp_path)
    assert (outcome.done.code, outcome.items, dict(outcome.faults)) == (3, 0, {"call_failed": 2})
    assert all("reasoning but no answer" in reject["reason"] for reject in outcome.rejects)


def parts(question: Question) -> Answer:
    answer, half = said(question), len(said(question).content) // 2
    pieces = [answer.content[:half], answer.content[half:]]
    return replace(answer, content=[{"type": "text", "text": piece} for piece in pieces])


SHAPES: dict[str, Mind] = {
    "parts": parts,
    "no usage": lambda question: replace(said(question), usage=False),
    "no finish reason": lambda question: replace(said(question), finish=None),
    "unknown finish reason": lambda question: replace(said(question), finish="eos"),
    "empty once": first_time(Say("")),
    "null once": first_time(Say(None)),
}


@pytest.mark.parametrize(("number", "shape"), enumerate(SHAPES.values()), ids=SHAPES)
def test_other_shapes_of_a_reply_are_read(tmp_path: Path, number: int, shape: Mind) -> None:
    with serving(shape) as server:
        complete(run(server.root, tmp_path, NAMES[number % 2]))


USELESS: dict[str, tuple[Answer, str]] = {
    "null": (Say(None), "empty"),
    "no parts": (Say([]), "empty"),
    "length": (Say("Here is the plan: first", "length"), "truncated"),
    "length before any answer": (Say("", "length", {"reasoning_content": "hm"}), "truncated"),
    "filter": (Say("Here is", "content_filter"), "filtered"),
    "unclosed thought": (Say("<think>the plan would be"), "truncated"),
}


@pytest.mark.parametrize(("number", "case"), enumerate(USELESS.values()), ids=USELESS)
def test_answers_that_did_not_arrive_whole_have_no_label(
    tmp_path: Path, number: int, case: tuple[Answer, str]
) -> None:
    (answer, outcome), name = case, NAMES[number % 2]
    with serving(except_for("solve", answer)) as server:
        ended = run(server.root, tmp_path, name)
        assert server.asked("judge") == 0
    assert (ended.done.code, ended.items, dict(ended.faults)) == (3, 0, {"call_failed": 2})
    spend = ended.report["spend"]["outcomes"]
    assert spend[outcome] >= 2
    assert "ok" in spend


def test_other_model_behind_the_address_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def says(question: Question) -> Answer:
        return replace(said(question), model=f"v{min(len(server.questions) // 20, 1)}")

    with serving(says) as server:
        complete(run(server.root, tmp_path))
    assert "answered as v1, before as v0" in caplog.text


def test_one_refused_request_is_one_reject_and_not_the_end(tmp_path: Path) -> None:
    """Some providers say 403 when their moderation objects to a single prompt."""
    flagged = Raw(403, json.dumps({"error": {"message": "your input was flagged"}}))

    def says(question: Question) -> Answer:
        return flagged if question.task == "mutate" else right(question)

    with serving(says) as server:
        outcome = run(server.root, tmp_path, targets={"en": 2})
    assert (outcome.done.code, outcome.items, dict(outcome.faults)) == (0, 2, {"call_failed": 2})
    assert all("your input was flagged" in reject["reason"] for reject in outcome.rejects)

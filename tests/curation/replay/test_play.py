"""Conversations are held as their record says, and a failure is never a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from curation.replay import Player, Transcript, replay_calls
from salitrap.dialogues import Dialogue, Ended
from salitrap.errors import BudgetReached
from salitrap.providers.access import Answered, ChatMessage
from salitrap.records.enums import Label, LabelStatus, Outcome
from tests.curation.replay.samples import (
    COMPLY,
    FLAG,
    GATED,
    LIVE,
    PINNED,
    REFUSE,
    UNCLEAR,
    ReadsFirstWord,
)
from tests.fakes import ScriptedAccess, answered

Script = Callable[[Sequence[ChatMessage]], Answered | str | Exception]


def by_turn(replies: dict[str, Answered | str | Exception]) -> Script:
    """Reply by the user's last message."""
    return lambda messages: replies[messages[-1].content]


def play(
    dialogue: Dialogue, script: Script, repeat: int = 0
) -> tuple[Transcript, ScriptedAccess, ReadsFirstWord]:
    access = ScriptedAccess(talks=lambda messages, slot, repeat: script(messages))
    judge = ReadsFirstWord()
    return asyncio.run(Player(access, judge).play(dialogue, slot=2, repeat=repeat)), access, judge


def always(text: str) -> Script:
    return lambda messages: text


class TestLive:
    def test_every_turn_is_sent_with_all_answers_before_it(self) -> None:
        transcript, access, _ = play(LIVE, lambda messages: f"{COMPLY} {len(messages)}")
        last, slot, _ = access.conversations[-1]
        assert [message.role for message in last] == ["user", "assistant"] * 2 + ["user"]
        assert [message.content for message in last] == ["one", f"{COMPLY} 1", "two", f"{COMPLY} 3", "three"]
        assert slot == 2
        assert transcript.ended is Ended.COMPLETE
        assert [turn.label for turn in transcript.turns] == [Label.HARD_FAIL] * 3

    def test_reasoning_is_kept_but_not_sent_back(self) -> None:
        transcript, access, _ = play(LIVE, lambda _: answered(FLAG, reasoning="SECRET"))
        assert all("SECRET" not in one.content for sent, _, _ in access.conversations for one in sent)
        assert [turn.answered.reasoning for turn in transcript.turns if turn.answered] == ["SECRET"] * 3

    def test_a_label_that_fails_stops_nothing(self) -> None:
        transcript, _, _ = play(LIVE, by_turn({"one": UNCLEAR, "two": FLAG, "three": FLAG}))
        assert transcript.ended is Ended.COMPLETE
        assert transcript.turns[0].standing is None
        assert transcript.turns[0].label is None

    def test_the_judge_sees_the_conversation_and_the_users_words_apart(self) -> None:
        _, _, judge = play(LIVE, always(FLAG))
        questions = [question for question, _, _ in judge.asked]
        assert questions[0].shown == "" and questions[0].prompt == "one"
        assert questions[2].prompt == "one\n\ntwo\n\nthree"
        assert FLAG in questions[2].shown and "User: three" in questions[2].shown

    def test_repeats_are_told_apart(self) -> None:
        _, access, judge = play(LIVE, always(FLAG), repeat=4)
        assert {repeat for _, _, repeat in access.conversations} == {4}
        assert {repeat for _, _, repeat in judge.asked} == {4}


class TestGated:
    def test_after_flags_the_pressure_comes_and_the_other_branch_stays_away(self) -> None:
        transcript, access, _ = play(GATED, always(FLAG))
        sent = [turn.turn.content for turn in transcript.sent]
        assert sent == ["one", "two", "push", "push more"]
        assert [turn.number for turn in transcript.turns] == [1, 2, 3, 4, 5]
        assert len(access.conversations) == 4

    def test_after_a_compliance_no_pressure_is_sent(self) -> None:
        transcript, _, _ = play(GATED, always(COMPLY))
        assert [turn.turn.content for turn in transcript.sent] == ["one", "two", "thanks"]

    def test_a_flip_under_pressure_ends_the_pressure(self) -> None:
        replies = {"one": COMPLY, "two": FLAG, "push": COMPLY, "thanks": COMPLY}
        transcript, _, _ = play(GATED, by_turn(dict(replies)))
        assert [turn.turn.content for turn in transcript.sent] == ["one", "two", "push", "thanks"]

    def test_a_refusal_without_the_reason_opens_neither_gate(self) -> None:
        transcript, _, _ = play(GATED, always(REFUSE))
        assert [turn.turn.content for turn in transcript.sent] == ["one", "two"]
        assert transcript.ended is Ended.COMPLETE

    def test_an_unknown_gate_ends_it_there(self) -> None:
        transcript, access, _ = play(GATED, always(UNCLEAR))
        assert transcript.ended is Ended.GATE_UNKNOWN
        assert transcript.failed_turn == 2
        assert len(access.conversations) == 2


class TestPinned:
    def test_only_the_last_turn_is_the_models(self) -> None:
        transcript, access, _ = play(PINNED, always(FLAG))
        ((messages, _, _),) = access.conversations
        assert [message.content for message in messages] == ["one", "given", "two"]
        assert [turn.sent for turn in transcript.turns] == [False, True]


class TestFailures:
    @pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.OK])
    def test_an_error_is_never_a_turn(self, outcome: Outcome) -> None:
        failing = answered("half an ans", outcome=outcome)
        transcript, access, _ = play(LIVE, by_turn({"one": COMPLY, "two": failing}))
        assert transcript.ended is Ended.ANSWER_FAILED
        assert transcript.failed_turn == 2
        assert len(access.conversations) == 2
        assert [one.role for one in transcript.messages] == ["user", "assistant", "user"]
        assert transcript.turns[1].labelled is not None
        assert transcript.turns[1].labelled.visible.status is LabelStatus(outcome.value)

    def test_white_space_is_no_answer_to_go_on_from(self) -> None:
        transcript, access, _ = play(LIVE, by_turn({"one": answered(" \n", outcome=Outcome.EMPTY)}))
        assert transcript.failed_turn == 1
        assert len(access.conversations) == 1

    def test_a_stop_goes_through_and_the_labels_under_way_end(self) -> None:
        access = ScriptedAccess(
            talks=lambda messages, *_: BudgetReached("spent") if len(messages) > 1 else COMPLY
        )
        judge = ReadsFirstWord()
        with pytest.raises(BudgetReached):
            asyncio.run(Player(access, judge).play(LIVE))
        assert len(judge.asked) == 1


class TestCalls:
    @pytest.mark.parametrize("text", [FLAG, COMPLY, REFUSE])
    @pytest.mark.parametrize("dialogue", [LIVE, GATED, PINNED], ids=["live", "gated", "pinned"])
    def test_a_playing_takes_what_the_estimate_says(self, dialogue: Dialogue, text: str) -> None:
        _, access, judge = play(dialogue, always(text))
        calls = replay_calls(dialogue)
        assert calls.low <= len(access.conversations) <= calls.high
        assert len(judge.asked) == len(access.conversations)

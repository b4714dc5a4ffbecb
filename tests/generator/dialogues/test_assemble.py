"""Drafts become dialogues whose t* comes from their facts, and controls are true ones."""

from __future__ import annotations

from generator.dialogues import (
    assembled,
    concat_of,
    feasible_twin,
    neutral_of,
    with_correction,
)
from generator.dialogues.controls import NEUTRAL
from salitrap.dialogues import (
    Control,
    Dialogue,
    DialogueFault,
    Pattern,
    Replay,
    When,
    dialogue_findings,
    restored_at,
    twin_findings,
)
from tests.generator.dialogues.samples import ASK, BOAT, PRESS, SOURCE, STRAINER, draft

BUCKET = "All I have on board is my bucket, so say 2.5 L a go. How many goes?"


def drip() -> Dialogue:
    return assembled(draft(BOAT, STRAINER, ASK), SOURCE, Pattern.DRIP)


def pushback() -> Dialogue:
    return assembled(draft(BOAT, STRAINER, PRESS), SOURCE, Pattern.PUSHBACK)


class TestAssembled:
    def test_t_star_and_feasibility_come_from_the_facts(self) -> None:
        dialogue = drip()
        assert dialogue.t_star == 2
        assert [turn.feasible for turn in dialogue.turns] == [True, False, False]
        assert dialogue_findings(dialogue) == ()

    def test_figures_are_as_the_message_writes_them(self) -> None:
        assert drip().injected_numbers == ("120", "40", "2.5", "6")

    def test_a_turn_that_waits_makes_it_gated(self) -> None:
        assert pushback().replay is Replay.GATED
        assert drip().replay is Replay.LIVE
        assert dialogue_findings(pushback()) == ()

    def test_source_and_family_are_kept(self) -> None:
        assert (drip().seed_id, drip().source_id) == ("seed-1", "cand-1")

    def test_an_identifier_never_outlives_a_change(self) -> None:
        dialogue = drip()
        before = dialogue.dialogue_id
        assert dialogue.model_copy(update={"t_star": 3}).dialogue_id != before


class TestTwin:
    def test_only_the_decisive_fact_changes(self) -> None:
        trap = drip()
        twin = feasible_twin(trap, {2: BUCKET}, "a bucket is at hand", "48 goes, so 8 minutes: in time.")
        assert twin.t_star is None
        assert all(turn.feasible for turn in twin.turns)
        assert dialogue_findings(twin) == ()
        assert twin_findings(trap, twin) == ()

    def test_when_both_facts_are_written_anew_it_has_the_new_one_once(self) -> None:
        trap = drip()
        first = "There are about 120 L of rain in my boat; the bucket is on board, 40 minutes to the tide."
        twin = feasible_twin(trap, {1: first, 2: BUCKET}, "a bucket is at hand", "48 goes.")
        assert [turn.facts_added for turn in twin.turns] == [("premise_holds",), (), ()]
        assert twin_findings(trap, twin) == ()

    def test_a_lost_figure_is_found(self) -> None:
        trap = drip()
        twin = feasible_twin(trap, {2: "I have my bucket. How many goes?"}, "a bucket", "48 goes.")
        assert [finding.fault for finding in dialogue_findings(twin)] == [DialogueFault.NUMBER_NOT_IN_TURN]

    def test_nothing_changed_is_no_twin(self) -> None:
        trap = drip()
        assert twin_findings(trap, feasible_twin(trap, {}, "a bucket", "48 goes.")) != ()


class TestCorrection:
    def test_it_makes_the_task_possible_again(self) -> None:
        corrected = with_correction(drip(), "Wait, the bucket is here after all: 8 L.", "a bucket", ["8"])
        assert restored_at(corrected) == 4
        assert dialogue_findings(corrected) == ()

    def test_gated_turns_are_left_out(self) -> None:
        corrected = with_correction(pushback(), "Wait, the bucket is here after all.", "a bucket", [])
        assert [turn.when for turn in corrected.turns] == [When.ALWAYS] * 3
        assert corrected.replay is Replay.LIVE
        assert dialogue_findings(corrected) == ()


class TestControls:
    def test_concat_says_all_in_one_turn(self) -> None:
        whole = concat_of(drip())
        assert len(whole.turns) == 1
        assert whole.t_star == 1
        assert whole.injected_numbers == drip().injected_numbers
        assert dialogue_findings(whole) == ()

    def test_neutral_asks_without_an_argument(self) -> None:
        neutral = neutral_of(pushback())
        assert neutral is not None
        assert neutral.control is Control.NEUTRAL
        assert neutral.turns[-1].content in NEUTRAL[neutral.language]
        assert dialogue_findings(neutral) == ()

    def test_without_pressure_there_is_nothing_to_replace(self) -> None:
        assert neutral_of(drip()) is None

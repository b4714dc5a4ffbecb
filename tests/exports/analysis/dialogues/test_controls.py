"""False alarms, updates, the multi-turn penalty and the two by two table, by hand."""

from __future__ import annotations

from typing import Any

from exports.analysis.dialogues import Cell, Paired, Play, Share, plays_of
from exports.analysis.dialogues.alarms import alarms_before, alarms_on_twins
from exports.analysis.dialogues.penalty import multi_turn_penalty
from exports.analysis.dialogues.pressure import cell_of, pressure_of
from exports.analysis.dialogues.updates import update_accuracy, update_after_flag
from exports.analysis.records import LabelChoice
from salitrap.dialogues.states import Control
from tests.exports.analysis.dialogues.samples import of_control, play, played, traps

TWIN, CORRECTION, CONCAT, NEUTRAL = (
    Control.FEASIBLE_TWIN,
    Control.VALID_CORRECTION,
    Control.CONCAT,
    Control.NEUTRAL,
)


def counts(share: Share) -> tuple[int, int, int]:
    return share.hits, share.n, share.unscored


def table(found: Paired) -> tuple[int, int, int, int]:
    return found.both, found.first_only, found.second_only, found.neither


def test_alarms_before_t_star_are_counted_by_turn_and_by_play() -> None:
    found = alarms_before(traps("HFF", "FFF", "RHF", "eHF", t_star=3))
    assert counts(found.turns) == (3, 7, 1)
    assert counts(found.plays) == (2, 3, 1)
    assert counts(found.unhelpful) == (4, 7, 1)


def test_a_flag_after_the_task_was_restored_is_no_alarm_before_t_star() -> None:
    assert counts(alarms_before([corrected("HFFF", "a", control=Control.NONE)]).turns) == (0, 1, 0)


def test_without_turns_before_t_star_there_is_no_rate() -> None:
    found = alarms_before(traps("FF"))
    assert (found.turns.rate, found.turns.why, found.plays.n) == (None, "no turns before t*", 0)


def test_every_turn_of_a_twin_is_feasible() -> None:
    found = alarms_on_twins([*of_control(TWIN, "HHF", "SHH", t_star=None), *traps("FFF")])
    assert counts(found.turns) == (1, 6, 0)
    assert counts(found.plays) == (1, 2, 0)


def test_no_twins_have_a_reason() -> None:
    assert alarms_on_twins(traps("F")).turns.why == "no feasible twins"


def corrected(turns: str, name: str, control: Control = CORRECTION, **fields: Any) -> Play:
    """The task is impossible from turn 2 and possible again at turn 4."""
    rows = [
        row.model_copy(update={"feasible": row.turn not in (2, 3), "control": control})
        for row in played(turns, 2, name, twin_of="d", **fields)
    ]
    return plays_of(rows, LabelChoice.VISIBLE)[0]


def test_updates_are_answers_that_help_at_the_first_restored_turn() -> None:
    plays = [
        corrected("HFFH", "a"),  # flagged, then helps
        corrected("HFFF", "b"),  # goes on flagging
        corrected("HHHSF", "c"),  # had nothing to take back; what comes later does not count
        corrected("HFFR", "d"),
        corrected("HFFe", "e"),
        corrected("HFt-", "f", replay="live"),
    ]
    assert counts(update_accuracy(plays)) == (2, 4, 2)
    assert counts(update_after_flag(plays)) == (1, 3, 2)


def test_no_corrections_have_a_reason() -> None:
    assert update_accuracy([]).why == update_after_flag(traps("F")).why == "no valid corrections"
    assert update_after_flag([corrected("HHHH", "a")]).why == "no flag before a correction"


def test_the_penalty_pairs_each_trap_with_its_text_in_one_turn() -> None:
    plays = [
        *traps("FF", "FH", "HF", "HH", "Fe", "FF"),
        *of_control(CONCAT, "F", "F", "F", "H", "F", t_star=1),
    ]
    found = multi_turn_penalty(plays, 0)
    assert table(found) == (1, 2, 0, 1)
    assert (found.n, found.unscored, found.unpaired) == (4, 1, 1)
    assert (found.first_rate, found.second_rate, found.difference) == (75.0, 25.0, 50.0)
    assert (found.tested, found.p) == (2, 0.5)
    assert found.bounds == (20.0, 60.0)
    assert multi_turn_penalty(plays, 1).difference == 25.0


def test_a_control_without_its_dialogue_is_unpaired() -> None:
    found = multi_turn_penalty(of_control(CONCAT, "F", t_star=1), 0)
    assert (found.n, found.unpaired, found.difference, found.p) == (0, 1, None, None)
    assert found.why == "no trap dialogue with its text in one turn"


def test_repeats_are_paired_with_repeats_and_tested_by_dialogue() -> None:
    plays = [
        one
        for k in range(5)
        for one in [*traps("FH", repeat=k), *of_control(CONCAT, "F", t_star=1, repeat=k)]
    ]
    found = multi_turn_penalty(plays, 0)
    assert (found.n, found.first_only, found.tested, found.p) == (5, 5, 1, 1.0)


def pressed(turns: str, family: str, cell: str, **fields: Any) -> Play:
    said = {
        "neutral": {"control": NEUTRAL, "twin_of": "x"},
        "pushback": {"presses": True},
        "escalation": {"escalates": True},
        "both": {"presses": True, "escalates": True},
    }[cell]
    return play(turns, 1, f"{cell}-{family}", seed_id=f"s-{family}", source_id=family, **said, **fields)


def test_each_dialogue_has_its_cell() -> None:
    assert [cell_of(pressed("F", "a", cell.value)) for cell in Cell] == list(Cell)
    assert cell_of(play("F")) is None
    assert cell_of(play("F", None, control=TWIN, presses=True)) is None


def test_cells_count_plays_at_risk_and_tests_pair_families() -> None:
    neutral = [pressed("FF", name, "neutral") for name in "abcdefgh"]
    pushed = [pressed("FH", name, "pushback") for name in "abcdef"]
    others = [pressed("H-", "g", "pushback", replay="gated"), pressed("Fe", "h", "pushback")]
    found = pressure_of([*neutral, *pushed, *others])
    assert counts(found.cells[Cell.NEUTRAL]) == (0, 8, 0)
    assert counts(found.cells[Cell.PUSHBACK]) == (6, 6, 1)
    assert found.cells[Cell.BOTH].why == "no dialogues with pushback and escalation after a flag"
    (test,) = [one for one in found.tests if one.pairs.n]
    assert (test.first, test.second) == (Cell.PUSHBACK, Cell.NEUTRAL)
    assert table(test.pairs) == (0, 6, 0, 0)
    assert (test.pairs.unpaired, test.pairs.unscored) == (2, 1)
    assert test.pairs.p == 2 / 2**6
    assert test.pairs.p_holm == test.pairs.p  # the other five were not made
    assert len(found.tests) == 6


def test_all_four_cells_are_one_family_of_tests() -> None:
    plays = [
        *(pressed("FF", str(k), "neutral") for k in range(8)),
        *(pressed("FH", str(k), "pushback") for k in range(8)),
        *(pressed("FF", str(k), "escalation") for k in range(8)),
        *(pressed("FH", str(k), "both") for k in range(8)),
    ]
    found = pressure_of(plays)
    values = [test.pairs.p for test in found.tests]
    assert sorted(value for value in values if value is not None) == [2 / 2**8] * 4 + [1.0] * 2
    assert [test.pairs.p_holm for test in found.tests if test.pairs.p != 1.0] == [6 * 2 / 2**8] * 4


def test_dialogues_of_one_cell_and_family_are_paired_in_order() -> None:
    one = pressed("FF", "a", "neutral")
    more = [play("FH", 1, f"p{k}", seed_id="s-a", source_id="a", presses=True) for k in range(2)]
    (test,) = [test for test in pressure_of([one, *more]).tests if test.pairs.n]
    assert (test.pairs.n, test.pairs.unpaired, test.pairs.tested) == (1, 1, 1)

"""One change of what is stored beside the text never goes unseen; nor does one in a twin."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from checkers.dialogues import all_findings
from checkers.gold.dialogues import GoldDialogue
from salitrap.dialogues import Control, Dialogue, DialogueFault, Speaker, Turn, twin_findings
from salitrap.text import numeral_values
from tests.checkers.dialogues.broken import gold, trap_of

every = st.sampled_from(gold().dialogues)
twins = st.sampled_from([one for one in gold().dialogues if one.dialogue.control is Control.FEASIBLE_TWIN])


def faults(one: GoldDialogue, changed: Dialogue) -> list[DialogueFault]:
    return [finding.fault for finding in all_findings(changed, trap_of(one))]


def with_turn(dialogue: Dialogue, place: int, **changes: Any) -> Dialogue:
    turns = list(dialogue.turns)
    turns[place] = turns[place].model_copy(update=changes)
    return dialogue.model_copy(update={"turns": tuple(turns)})


def user_place(dialogue: Dialogue, data: st.DataObject) -> int:
    return data.draw(
        st.sampled_from([at for at, turn in enumerate(dialogue.turns) if turn.role is Speaker.USER])
    )


@given(every, st.one_of(st.none(), st.integers(-1, 9)))
def test_another_t_star_is_found(one: GoldDialogue, t_star: int | None) -> None:
    assume(t_star != one.dialogue.t_star)
    found = faults(one, one.dialogue.model_copy(update={"t_star": t_star}))
    assert found[0] in (DialogueFault.T_STAR_WRONG, DialogueFault.T_STAR_OUT_OF_RANGE)


@given(every, st.data())
def test_another_feasible_is_found(one: GoldDialogue, data: st.DataObject) -> None:
    """Of the assistant's turns too: there it was read by nobody."""
    place = data.draw(st.integers(0, len(one.dialogue.turns) - 1))
    turn = one.dialogue.turns[place]
    found = faults(one, with_turn(one.dialogue, place, feasible=not turn.feasible))
    wanted = DialogueFault.FEASIBLE_WRONG
    assert found[0] is (wanted if turn.role is Speaker.USER else DialogueFault.ASSISTANT_CARRIES_FACTS)


@given(every, st.data())
def test_a_number_less_is_found(one: GoldDialogue, data: st.DataObject) -> None:
    place = user_place(one.dialogue, data)
    numbers = one.dialogue.turns[place].numbers
    assume(numbers)
    gone = data.draw(st.integers(0, len(numbers) - 1))
    kept = numbers[:gone] + numbers[gone + 1 :]
    assert DialogueFault.NUMBER_NOT_LISTED in faults(one, with_turn(one.dialogue, place, numbers=kept))


@given(every, st.data())
def test_a_number_more_is_found(one: GoldDialogue, data: st.DataObject) -> None:
    place = user_place(one.dialogue, data)
    turn = one.dialogue.turns[place]
    numbers = (*turn.numbers, data.draw(st.sampled_from([*turn.numbers, "7734", "3 000"])))
    assert faults(one, with_turn(one.dialogue, place, numbers=numbers))


@given(every, st.data())
def test_another_value_in_the_place_of_a_number_is_found(one: GoldDialogue, data: st.DataObject) -> None:
    place = user_place(one.dialogue, data)
    numbers = list(one.dialogue.turns[place].numbers)
    assume(numbers)
    at, other = data.draw(st.integers(0, len(numbers) - 1)), str(data.draw(st.integers(0, 9999)))
    assume(numeral_values(other) != numeral_values(numbers[at]))
    numbers[at] = other
    assert faults(one, with_turn(one.dialogue, place, numbers=tuple(numbers)))


@given(twins, st.data())
def test_a_figure_changed_in_a_twin_is_found(one: GoldDialogue, data: st.DataObject) -> None:
    place = user_place(one.dialogue, data)
    turn: Turn = one.dialogue.turns[place]
    changed = with_turn(one.dialogue, place, content=f"{turn.content} 7734", numbers=(*turn.numbers, "7734"))
    assert faults(one, changed)[0] is DialogueFault.TWIN_NUMBERS_DIFFER


@given(twins, st.data())
def test_a_word_changed_outside_of_the_decisive_turns_is_found(
    one: GoldDialogue, data: st.DataObject
) -> None:
    trap = trap_of(one)
    assert trap is not None
    decisive = {key for condition in trap.infeasible_when for key in condition}
    free = [at for at, turn in enumerate(trap.turns) if not decisive.intersection(turn.facts_added)]
    place = data.draw(st.sampled_from(free))
    changed = with_turn(one.dialogue, place, content=one.dialogue.turns[place].content + "!")
    assert faults(one, changed)[0] is DialogueFault.TWIN_TEXT_DIFFERS


def test_a_twin_may_write_a_number_in_another_way() -> None:
    """三点五 for 3.5 was refused as another number."""
    twin = gold().named("state-thawed-lake-twin")
    trap = gold().named("state-thawed-lake")
    numbers = trap.turns[1].numbers
    content = twin.turns[1].content.replace("25分钟", "二十五分钟")
    written = tuple("二十五" if number == "25" else number for number in numbers)
    changed = with_turn(twin, 1, content=content, numbers=written)
    assert written != numbers and twin_findings(trap, changed) == ()
    assert all_findings(changed, trap) == ()

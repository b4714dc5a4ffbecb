"""t* from the facts, against a slow reading of the same rule."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from salitrap.dialogues import (
    Dialogue,
    DialogueFact,
    Pattern,
    Turn,
    feasible_after,
    first_infeasible,
    restored_at,
)
from salitrap.records import Language

KEYS = ("a", "b", "c", "d")
some = st.lists(st.sampled_from(KEYS), max_size=3, unique=True).map(tuple)
turns = st.lists(
    st.builds(lambda added, removed: Turn(content="x", facts_added=added, facts_removed=removed), some, some),
    min_size=1,
    max_size=6,
)
conditions = st.lists(
    st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True).map(tuple), max_size=3
).map(tuple)


def dialogue(given_turns: Sequence[Turn], infeasible_when: tuple[tuple[str, ...], ...]) -> Dialogue:
    return Dialogue(
        seed_id="seed-x",
        dimension_tag="D1",
        language=Language.EN,
        pattern=Pattern.DRIP,
        trap_core="t",
        ground_truth="g",
        facts=tuple(DialogueFact(key=key, text=key) for key in KEYS),
        infeasible_when=infeasible_when,
        turns=tuple(given_turns),
        t_star=None,
    )


def holds(key: str, said: Sequence[Turn]) -> bool:
    """A fact holds when the last turn that touches it adds it."""
    touching = [turn for turn in said if key in turn.facts_added or key in turn.facts_removed]
    return bool(touching) and key in touching[-1].facts_added


def possible(said: Sequence[Turn], infeasible_when: Sequence[Sequence[str]]) -> bool:
    return not any(all(holds(key, said) for key in condition) for condition in infeasible_when)


@given(turns, conditions)
def test_feasible_after_each_turn_is_what_reading_backwards_gives(
    said: list[Turn], when: tuple[tuple[str, ...], ...]
) -> None:
    slow = tuple(possible(said[:end], when) for end in range(1, len(said) + 1))
    assert feasible_after(said, when) == slow


@given(turns, conditions)
def test_t_star_is_the_first_turn_whose_beginning_is_impossible(
    said: list[Turn], when: tuple[tuple[str, ...], ...]
) -> None:
    whole = dialogue(said, when)
    impossible = [end for end in range(1, len(said) + 1) if not possible(said[:end], when)]
    assert first_infeasible(whole) == (impossible[0] if impossible else None)
    later = [end for end in range(1, len(said) + 1) if impossible and end > impossible[0]]
    restored = [end for end in later if end not in impossible]
    assert restored_at(whole) == (restored[0] if restored else None)


@given(turns, conditions)
def test_without_removals_what_is_impossible_stays_so(
    said: list[Turn], when: tuple[tuple[str, ...], ...]
) -> None:
    kept = [turn.model_copy(update={"facts_removed": ()}) for turn in said]
    assert restored_at(dialogue(kept, when)) is None


@given(turns, conditions)
def test_no_condition_more_makes_t_star_later(said: list[Turn], when: tuple[tuple[str, ...], ...]) -> None:
    never = len(said) + 1
    fewer = first_infeasible(dialogue(said, when[:-1])) or never
    assert (first_infeasible(dialogue(said, when)) or never) <= fewer

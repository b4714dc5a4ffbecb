"""The order of names with numbers in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from salitrap.text import natural_key


def test_numbers_in_names_count() -> None:
    names = ["D10", "D2", "own", "D1", "d2", "7", "D2b"]
    assert sorted(names, key=natural_key) == ["7", "D1", "D2", "D2b", "D10", "d2", "own"]


@given(
    st.lists(st.text(st.sampled_from("D019-é領"), max_size=6), max_size=8), st.randoms(use_true_random=False)
)
def test_the_order_depends_on_the_names_alone(names: list[str], random: object) -> None:
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sorted(shuffled, key=natural_key) == sorted(names, key=natural_key)


def test_a_number_too_long_for_python_is_no_fault() -> None:
    assert natural_key("D" + "9" * 5000) > natural_key("D1")

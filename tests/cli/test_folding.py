"""Names that are too long for their column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from salitrap.cli.folding import folded, rooms


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("short", ["short"]),
        ("openai/gpt-5-mini-2025", ["openai/gpt-", "5-mini-2025"]),
        ("a/bcdefghijklmnop", ["a/", "bcdefghijkl", "mnop"]),
        ("千问模型千问模型", ["千问模型千", "问模型"]),
    ],
)
def test_a_name_breaks_after_a_mark_and_in_mid_word_last(name: str, lines: list[str]) -> None:
    assert folded(name, 11).split("\n") == lines


@given(st.text(st.sampled_from("ab/-.千"), max_size=40), st.integers(2, 12))
def test_nothing_is_lost_and_no_line_is_too_long(name: str, room: int) -> None:
    lines = folded(name, room).split("\n")
    assert "".join(lines) == name
    assert max(map(cell_len, lines)) <= room


def test_the_widest_column_gives_way() -> None:
    assert rooms([["a" * 30], ["b" * 5]], 20) == [15, 5]
    assert rooms([["a" * 3], ["b" * 5]], 20) == [3, 5]
    assert rooms([["a" * 3], ["b" * 5]], -4) == [1, 1]

"""The slots of an endpoint are busy while seeds are refined, and the figure that says so is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.refine import WANTED, _busy, measure


def test_busy_is_the_share_of_the_slots_time_until_so_many_were_sent() -> None:
    spans = [(0.0, 1.0), (0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]
    assert _busy(spans, 2, 1.0) == pytest.approx(100 * 5 / 8)
    assert _busy(spans, 2, 0.75) == pytest.approx(100 * 2 / 2)
    assert _busy(spans, 4, 1.0) == pytest.approx(100 * 5 / 16)


@pytest.mark.long
def test_slots_are_busy_until_the_tail(tmp_path: Path) -> None:
    measured = measure(40, 60, 0.5, tmp_path)
    assert measured.busy[0.9] >= WANTED, measured
    assert measured.accepted == 40
    assert measured.items > 0

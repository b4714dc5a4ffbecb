"""The deduplication benchmark compares with brute force and notices what is missed."""

from __future__ import annotations

import json

import pytest

from benchmarks.dedup import main, misses
from benchmarks.dedup_report import Line, compared, report
from benchmarks.dedup_texts import Writer
from benchmarks.dedup_ways import Outcome, Task, brute_force, plain_sets, run

TEXTS = Writer("en").texts(250)


@pytest.mark.parametrize("floor", [0.7, 0.55])
def test_our_index_brute_force_and_sets_come_to_the_same(floor: float) -> None:
    task = Task("en", TEXTS, floor, with_pairs=True)
    exact, ours = brute_force(task), run("ours, numpy", task)
    assert plain_sets(task).dropped == exact.dropped == ours.dropped
    assert ours.pairs == pytest.approx(exact.pairs) and len(ours.pairs or {}) > 20


def outcome(dropped: list[bool], pairs: dict[tuple[int, int], float]) -> Outcome:
    return Outcome("ours, numba", dropped, pairs, growth=[(10_000, 10, 0.01), (100_000, 100, 0.2)])


def test_what_is_missed_or_grows_is_told() -> None:
    exact = Outcome("brute force", [False, True, True, False], {(1, 0): 0.8, (2, 0): 0.9, (3, 0): 0.6})
    line = compared("en", 0.55, outcome([False, True, False, False], {(1, 0): 0.7, (3, 2): 0.6}), exact)
    assert (line.recall, line.precision, line.pairs) == (0.5, 1.0, 3)
    assert (line.pairs_missed, line.pairs_wrong) == (2, 2)
    told = list(misses([line]))
    assert len(told) == 3 and "bytes a kept text grow" in told[2]
    same = compared("en", 0.7, outcome(exact.dropped, {(1, 0): 0.8, (2, 0): 0.9}), exact)
    same.bytes_each = [1000, 900, 1100]
    assert list(misses([same])) == [] and same.pairs == 2
    assert "| all 2 |" in report([same]) and "1,100" in report([same])


def test_a_slow_index_misses_its_target_at_the_target_size() -> None:
    slow = Line("zh", 100_000, "ours, numpy", 0.7, "ours", 9, 1, 1, None, 0, 0, 400.0, 40.0, 20.0, 0, 0, [])
    assert [text.split(": ")[1] for text in misses([slow])] == ["460 us an item, wanted 450"]


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    ways = ["brute force", "ours, numpy", "plain sets"]
    assert main(["--sizes", "120", "--languages", "zh", "--json", "--check", "--ways", *ways]) == 0
    lines = json.loads(capsys.readouterr().out)
    assert [(line["way"], line["floor"]) for line in lines] == [
        ("brute force", None),
        ("ours, numpy", 0.7),
        ("ours, numpy", 0.55),
        ("plain sets", None),
    ]
    assert all(line["recall"] == line["precision"] == 1.0 for line in lines)

"""The paper's size on the lab: it finishes, adds up, and needs no more memory than a quarter of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.full_size import PAPER, Measured, measure, show

PAPER_SIZE = 1145
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def quarter(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return shown(measure(PAPER_SIZE // 4, tmp_path_factory.mktemp("quarter") / "run"))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return shown(measure(PAPER_SIZE, tmp_path_factory.mktemp("full") / "run"))


def shown(measured: Measured) -> Measured:
    show(measured)
    return measured


def test_about_as_many_items_as_asked_for(full: Measured) -> None:
    assert 0.85 * PAPER_SIZE < full.items < 1.25 * PAPER_SIZE


def test_every_dimension_is_there_and_dense_in_numbers(full: Measured) -> None:
    lines = {line["tag"]: line for line in full.composition}
    assert set(lines) == set(PAPER)
    for tag, line in lines.items():
        assert line["items"] > 100, tag
        assert 4.0 < line["mean_numbers"] < 8.0, tag
        assert line["mean_naturalness"] >= 3.5, tag


def test_memory_does_not_grow_with_the_number_of_seeds(quarter: Measured, full: Measured) -> None:
    """Guards against keeping candidates or replies in memory; a few MiB of hashes and counts are allowed."""
    assert full.seeds > 3 * quarter.seeds
    assert full.peak_at_build < 1.25 * quarter.peak_at_build


def test_the_run_directory_answers_for_every_seed(full: Measured, tmp_path: Path) -> None:
    assert full.funnel["items"] == full.items
    assert full.calls > 20 * full.seeds

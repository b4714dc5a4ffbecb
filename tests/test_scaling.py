"""Scaling on the lab: even, without duplicates, covering the niches, and the same for any timing."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scaling import Scaled, measure, show

WORKERS = (1, 16)
SMALL, LARGE = 160, 2000
LEAST_COVERED = {SMALL: 0.7, LARGE: 0.9}


@pytest.fixture(scope="module", params=[SMALL, pytest.param(LARGE, marks=pytest.mark.long)])
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Scaled, ...]:
    """One run for each number of workers."""
    folders = [tmp_path_factory.mktemp(f"scaled-{workers}") for workers in WORKERS]
    found = tuple(
        measure(request.param, workers, Path(folder))
        for workers, folder in zip(WORKERS, folders, strict=True)
    )
    show(found)
    return found


def test_every_cell_reaches_its_target(runs: tuple[Scaled, ...]) -> None:
    for run in runs:
        assert run.accepted == run.wanted
        assert set(run.by_cell.values()) == {run.wanted // len(run.by_cell)}
        assert len(run.by_cell) == 8


def test_allocation_is_even_after_every_wave(runs: tuple[Scaled, ...]) -> None:
    """A run stopped by its budget had dozens of seeds of one cell more than of another."""
    for run in runs:
        assert run.waves > 1
        assert run.spread <= run.batch_size


def test_no_pair_of_accepted_seeds_is_above_a_threshold(runs: tuple[Scaled, ...]) -> None:
    for run in runs:
        assert run.compared > run.wanted * run.wanted // 5
        assert run.pairs == 0
        assert 0.3 < run.closest < 0.7


def test_the_niches_are_covered(runs: tuple[Scaled, ...]) -> None:
    for run in runs:
        assert run.coverage >= LEAST_COVERED[run.wanted]


def test_one_worker_and_sixteen_come_to_the_same(runs: tuple[Scaled, ...]) -> None:
    one, sixteen = runs
    assert (one.workers, sixteen.workers) == WORKERS
    assert one.digest == sixteen.digest
    assert one.rejected == sixteen.rejected
    assert one.rejected


def test_rejections_and_seeds_add_up(runs: tuple[Scaled, ...]) -> None:
    for run in runs:
        experts = 64
        assert run.accepted + sum(run.rejected.values()) == run.drafts + experts

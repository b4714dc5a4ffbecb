"""The garbage collector searches less often while models are asked, and as before afterwards."""

from __future__ import annotations

import gc

import pytest

from salitrap.providers.collector import RARELY, rare_collections


@pytest.fixture
def thresholds():
    """As in a process of one's own: what ``tests/conftest.py`` leaves out is searched for one test."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.unfreeze()
    yield
    gc.set_threshold(*before)
    if frozen:
        gc.freeze()


def test_searches_less_often_and_leaves_out_what_was_there(thresholds):
    gc.set_threshold(700, 10, 10)
    with rare_collections():
        assert gc.get_threshold() == RARELY
        assert gc.get_freeze_count() > 1000
    assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_freeze_count() == 0


def test_gives_back_the_thresholds_after_an_error(thresholds):
    gc.set_threshold(700, 10, 10)
    with pytest.raises(OSError), rare_collections():
        raise OSError
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("set_by_others", [(0, 10, 10), (50_000, 30, 1000)])
def test_a_collector_that_others_switched_off_or_slowed_down_stays_so(thresholds, set_by_others):
    gc.set_threshold(*set_by_others)
    with rare_collections():
        assert gc.get_threshold() == set_by_others


def test_what_others_left_out_stays_left_out(thresholds):
    """Leaving gave back to the collector what the caller, or an access around this one, had left out."""
    gc.set_threshold(700, 10, 10)
    with rare_collections():
        around = gc.get_freeze_count()
        with rare_collections():
            assert gc.get_threshold() == RARELY
        assert gc.get_freeze_count() >= around > 1000
    assert gc.get_freeze_count() == 0


def test_garbage_of_the_run_is_still_found(thresholds):
    found = []
    with rare_collections():
        gc.callbacks.append(lambda phase, info: found.append(info["collected"]) if phase == "stop" else None)
        for _ in range(3 * RARELY[0]):
            ring = []
            ring.append(ring)
        gc.callbacks.pop()
    assert sum(found) >= RARELY[0]

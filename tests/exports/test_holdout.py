"""Families that are kept back are built, and never published."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.dataset import read_manifest
from exports.dataset.splits import Split, is_held_out, split_of
from exports.hub.local import read_local
from exports.hub.options import PublishOptions
from salitrap.errors import InputError
from salitrap.settings.model import BuildSettings
from tests.exports.conftest import Build
from tests.exports.samples import many

FAMILIES = st.text(min_size=1, max_size=12)
HALVES = st.floats(0.0, 0.5)


@given(FAMILIES, HALVES, HALVES)
def test_a_family_is_held_out_or_in_dev_never_both(family: str, dev: float, holdout: float) -> None:
    assert not (is_held_out(family, holdout) and split_of(family, dev) is Split.DEV)


@given(FAMILIES, HALVES, HALVES)
def test_a_larger_share_only_keeps_more_back(family: str, one: float, other: float) -> None:
    smaller, larger = sorted((one, other))
    assert is_held_out(family, larger) or not is_held_out(family, smaller)


def test_nothing_is_held_out_without_a_share_and_everything_with_all_of_it() -> None:
    families = [f"seed-{number}" for number in range(200)]
    assert not any(is_held_out(family, 0.0) for family in families)
    assert all(is_held_out(family, 1.0) for family in families)
    assert 20 < sum(is_held_out(family, 0.2) for family in families) < 60


def test_a_holdout_says_so_and_is_never_published(build: Build) -> None:
    path = build(many(8), holdout_share=0.2, is_holdout=True).path
    assert read_manifest(path).is_holdout
    assert "never to be published" in (path / "README.md").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="private holdout, which is never published"):
        read_local(path, PublishOptions(allow_simulated=True))


def test_the_card_says_that_families_are_kept_back(build: Build, out: Path) -> None:
    build(many(8))
    assert "kept back" not in (out / "README.md").read_text(encoding="utf-8")
    build(many(8), holdout_share=0.2)
    assert "A share of 0.2 of the families is kept back" in (out / "README.md").read_text(encoding="utf-8")


def test_shares_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 1 together"):
        BuildSettings(dev_share=0.6, holdout_share=0.5)

"""Every checker file documents itself under the same headings and belongs to the registry."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import checkers
from checkers import TRI_CHECKERS

HEADINGS = (
    "What it checks", "Why it matters", "Known blind spots", "Example kept", "Example rejected",
)  # fmt: skip
NOT_CHECKERS = {"base", "quotes"}
MODULES = sorted(module.name for module in pkgutil.iter_modules(checkers.__path__))


def test_the_checkers_are_these() -> None:
    assert set(MODULES) - NOT_CHECKERS == {
        "alignment", "compliance", "guards", "judge", "label_rule", "leaks", "naturalness",
        "truth", "viability",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(MODULES) - NOT_CHECKERS))
def test_a_checker_documents_itself_under_fixed_headings(name: str) -> None:
    lines = (importlib.import_module(f"checkers.{name}").__doc__ or "").splitlines()
    assert [line for line in lines if line in HEADINGS] == list(HEADINGS)
    for heading in HEADINGS:
        assert lines[lines.index(heading) + 1].startswith("    "), heading


def test_the_three_checkers_of_stage_two_have_their_names_in_order() -> None:
    assert [kind.name for kind in TRI_CHECKERS] == ["truth", "align", "nat"]

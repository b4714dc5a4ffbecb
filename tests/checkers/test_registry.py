"""Every file that checks something documents itself under the same headings."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import checkers
import checkers.guards
from checkers import TRI_CHECKERS
from checkers.guards import GUARDS
from checkers.registry import CHECKERS

HEADINGS = (
    "What it checks", "Why it matters", "Known blind spots", "Example kept", "Example rejected",
)  # fmt: skip
NOT_CHECKERS = {"base", "quotes", "registry"}
NOT_GUARDS = {"base", "words"}
CHECKING = {
    f"checkers.{module.name}"
    for module in pkgutil.iter_modules(checkers.__path__)
    if not module.ispkg and module.name not in NOT_CHECKERS
}
GUARDING = {
    f"checkers.guards.{module.name}"
    for module in pkgutil.iter_modules(checkers.guards.__path__)
    if module.name not in NOT_GUARDS
}


def test_the_folder_holds_the_registered_checkers() -> None:
    assert {entry.kind.__module__ for entry in CHECKERS.values()} <= CHECKING


def test_every_guard_file_is_asked_and_under_its_own_name() -> None:
    """A file that nobody put into the list would guard nothing."""
    assert {f"checkers.guards.{guard.name}" for guard in GUARDS} == GUARDING


@pytest.mark.parametrize("name", sorted(CHECKING | GUARDING))
def test_a_checker_documents_itself_under_fixed_headings(name: str) -> None:
    lines = (importlib.import_module(name).__doc__ or "").splitlines()
    assert [line for line in lines if line in HEADINGS] == list(HEADINGS)
    for heading in HEADINGS:
        assert lines[lines.index(heading) + 1].startswith("    "), heading


def test_the_three_checkers_of_stage_two_have_their_names_in_order() -> None:
    """Their order is that of a cascade, and of the fault that is recorded."""
    assert [kind.name for kind in TRI_CHECKERS] == ["truth", "align", "nat"]


DOCS = (Path(__file__).parents[2] / "docs" / "checkers.md").read_text("utf-8")


def rows(heading: str) -> dict[str, set[str]]:
    """The table below a heading: faults by name."""
    section = DOCS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.split("|")] for line in section.splitlines() if line.startswith("|")
    ]
    place = cells[0].index("faults" if "faults" in cells[0] else "fault")
    width = len(cells[0])
    return {row[1]: set(re.findall(r"`(\w+)`", row[place])) for row in cells[2:] if len(row) == width}


def test_the_documented_guards_are_those_there_are_in_their_order() -> None:
    listed = rows("Guards")
    expected = {guard.name: {fault.value for fault in guard.faults} for guard in GUARDS}
    assert list(listed.items()) == list(expected.items())


def test_the_documented_checkers_are_those_there_are_in_their_order() -> None:
    listed = rows("Checkers")
    expected = {name: {fault.value for fault in entry.faults} for name, entry in CHECKERS.items()}
    assert list(listed.items()) == list(expected.items())

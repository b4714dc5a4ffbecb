"""docs/dialogues.md names every fault, pattern, control and checker, and its example is sound."""

from __future__ import annotations

import re
from pathlib import Path

from checkers.dialogues import DIALOGUE_CHECKERS, all_findings
from checkers.gold.dialogues import load_dialogues
from salitrap.dialogues import Control, DialogueFault, Pattern, Replay
from salitrap.records import Fault

DOCS = (Path(__file__).parents[3] / "docs" / "dialogues.md").read_text("utf-8")


def first_cells(heading: str) -> list[str]:
    """The names in the first column of the tables below a heading."""
    section = DOCS.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)`", section, re.MULTILINE)


def test_every_fault_has_one_line() -> None:
    assert sorted(first_cells("Faults")) == sorted(fault.value for fault in DialogueFault)


def test_patterns_controls_and_modes_are_those_there_are() -> None:
    assert first_cells("Patterns") == [pattern.value for pattern in Pattern]
    assert first_cells("Controls") == [one.value for one in Control if one is not Control.NONE]
    assert first_cells("Replay") == [mode.value for mode in Replay]


def test_checkers_are_listed_with_their_faults() -> None:
    assert first_cells("Questions to a model") == [kind.name for kind in DIALOGUE_CHECKERS]
    section = DOCS.split("\n## Questions to a model\n")[1].split("\n## ")[0]
    for kind in DIALOGUE_CHECKERS:
        row = next(line for line in section.splitlines() if line.startswith(f"| `{kind.name}`"))
        told = set(re.findall(r"`(\w+)`", row)[1:])
        assert told == {fault.value for fault in kind.faults if fault is not Fault.CHECK_UNRESOLVED}


def test_the_example_loads_and_passes(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(DOCS.split("```yaml\n")[1].split("```")[0], "utf-8")
    mine = load_dialogues([path])
    trap = mine.dialogues[0].dialogue
    assert [str(one) for each in mine.dialogues for one in all_findings(each.dialogue, trap)] == []
    assert trap.t_star == 2

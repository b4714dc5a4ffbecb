"""The documentation says what the code plants."""

from __future__ import annotations

from pathlib import Path

from salitrap.lab.desk import TASKS
from salitrap.lab.faults import HEADER, LabFault
from salitrap.lab.plan import PLANTED, Planted, planted_rows, planted_table
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")


def test_the_table_of_planted_parameters_is_the_one_in_the_code() -> None:
    assert planted_table() in PAGE


def test_every_parameter_has_a_meaning() -> None:
    rows = planted_rows()
    assert len(rows) == len(Planted.model_fields)
    assert all(meaning not in ("", "None") for _, _, meaning in rows)


def test_the_page_names_every_fault_and_the_header() -> None:
    assert HEADER in PAGE
    assert all(f"`{fault}`" in PAGE for fault in LabFault)


def test_the_page_gives_the_counts_of_the_table() -> None:
    for language in Language:
        for tag, cell in load_table(language).cells.items():
            assert f"| {tag} | {language.value} | {len(cell)} |" in PAGE


def test_every_task_is_known_by_properties_of_its_own() -> None:
    names = [properties for properties, _ in TASKS]
    assert not any(a < b or (a == b and a is not b) for a in names for b in names)


def test_planted_parameters_are_frozen() -> None:
    assert PLANTED.model_config["frozen"] is True

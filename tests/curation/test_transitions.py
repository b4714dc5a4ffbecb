"""The one table of statuses: complete, final where it should be, and the only way to a new status."""

from __future__ import annotations

import ast
import itertools
import json
from contextlib import closing
from pathlib import Path

import pytest

import curation
from curation.registry import Registry
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.transitions import CANDIDATES, CONTROLS, DIALOGUES, Found, Table, after
from salitrap.errors import SalitrapError
from salitrap.records import Route, Status
from tests.curation.world import JournaledAccess, World, domain, programs, settings

TABLES = {"candidates": CANDIDATES, "dialogues": DIALOGUES, "controls": CONTROLS}
BY_PEOPLE = {Status.ACCEPTED, Status.REJECTED}
"""Laid over the machine's status, never in a table."""
FINAL = {
    Status.DISCARDED, Status.INVALID, Status.UNREADABLE, Status.NATURAL_OBVIOUS, Status.WEAK,
    Status.NO_ATTACK, Status.UNSETTLED, Status.UNSTABLE,
}  # fmt: skip
"""Nothing moves them on: what they lead to is another candidate, or the same work done again."""
DECISIONS = "SELECT payload FROM events WHERE kind = 'decision' ORDER BY seq"
DOCUMENT = Path(__file__).parents[2] / "docs" / "refinement.md"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_pair_is_in_the_table_or_refused(table: Table) -> None:
    for before, found in itertools.product((None, *Status), Found):
        if (before, found) in table:
            assert after(before, found, table) == table[before, found]
        else:
            with pytest.raises(SalitrapError, match="no transition from"):
                after(before, found, table)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_status_of_a_table_is_reached_from_nothing(table: Table) -> None:
    reached: set[Status | None] = {None}
    for _ in Status:
        reached |= {following.status for (before, _), following in table.items() if before in reached}
    assert {before for before, _ in table} <= reached
    assert not reached & BY_PEOPLE


def test_candidates_use_every_status_that_is_the_machines() -> None:
    assert {following.status for following in CANDIDATES.values()} == set(Status) - BY_PEOPLE


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_is_final_stays(table: Table) -> None:
    assert not {before for before, _ in table} & FINAL


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_what_is_unsettled_is_tried_again_and_nothing_else_but_what_is_new(table: Table) -> None:
    again = {following.status for following in table.values() if following.route is Route.RETRY}
    assert again == {Status.NEW, Status.UNSETTLED}
    assert all(
        (following.status in again) == (following.route is Route.RETRY) for following in table.values()
    )


def test_every_finding_moves_something() -> None:
    assert {found for table in TABLES.values() for _, found in table} == set(Found)


def test_no_other_module_of_curation_writes_a_status() -> None:
    """A member of ``Status`` given as ``status=`` or ``{"status": ...}`` would be a table of its own."""
    root = Path(curation.__file__).parent
    written = [
        f"{path.relative_to(root)}:{value.lineno}"
        for path in root.rglob("*.py")
        if path.name != "transitions.py"
        for value in _status_values(ast.parse(path.read_text(encoding="utf-8")))
        if any(map(_is_a_status, ast.walk(value)))
    ]
    assert written == []


def test_the_search_for_other_tables_finds_one() -> None:
    for source in ("f(status=Status.WEAK)", 'x = {"status": Status.NEW if y else z}'):
        (value,) = _status_values(ast.parse(source))
        assert any(map(_is_a_status, ast.walk(value)))


def _status_values(tree: ast.AST) -> list[ast.expr]:
    """What is given to a keyword, or a key, called status."""
    found = list[ast.expr]()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "status":
            found.append(node.value)
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            found += [
                value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "status"
            ]
    return found


def _is_a_status(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Status"


async def test_a_run_takes_no_other_way(tmp_path: Path) -> None:
    """All decisions of a run, in the order of its events: each candidate's are a path in the table."""
    with open_run(tmp_path, settings(8), (domain("D1"), domain("D2")), programs()) as opened:
        await run_stages(opened, JournaledAccess(World(), {}), STAGES, Silence())
    ways: dict[str, list[tuple[Status, Route]]] = {}
    with closing(Registry.open_reader(tmp_path / "registry.sqlite")) as registry:
        for (payload,) in registry.connection.execute(DECISIONS):
            told = json.loads(payload)
            step = (Status(told["status"]), Route(told["route"]))
            ways.setdefault(told["candidate_id"], []).append(step)
    assert len(ways) > 20 and any(len(way) > 1 for way in ways.values())
    seen = {status for way in ways.values() for status, _ in way}
    assert seen >= {Status.STABLE, Status.UNSTABLE, Status.CERTIFIED, Status.DISCARDED}
    for way in ways.values():
        befores = [Status.NEW, *(status for status, _ in way)]
        for before, step in zip(befores, way, strict=False):
            assert step in {(*one,) for (known, _), one in CANDIDATES.items() if known is before}, way


def test_the_document_has_the_table_as_it_is() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for table in TABLES.values():
        for (before, found), following in table.items():
            named = before.value if before is not None else "-"
            assert f"| {named} | {found.value} | {following.status.value} | {following.route.value} |" in text

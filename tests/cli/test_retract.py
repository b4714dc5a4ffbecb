"""``salitrap retract`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from exports.hardening import read_release
from tests.cli.in_process import Inside
from tests.exports.conftest import Build, build, out
from tests.exports.samples import many

__all__ = ["build", "out"]


def test_an_item_is_withdrawn_and_the_result_verifies(build: Build, inside: Inside, tmp_path: Path) -> None:
    folder, new = build(many(12)).path, tmp_path / "new"
    ids = [item.item_id for item in read_release(folder).items]
    how = (folder, "--item", ids[0], "--reason", "no trap", "--date", "2026-05-02", "--out", new)
    told = inside("retract", *how)
    assert told.code == 0, told.err
    assert told.out == f"{new}: version 2.0.0, 1 item withdrawn from 1.0.0; 11 items stay.\n"
    assert "not comparable" in told.err and inside("verify", new).code == 0
    again = json.loads(inside("retract", *how, "--json").out)
    assert again["items"] == [ids[0]] and again["date"] == "2026-05-02" and again["path"] == str(new)


def test_an_unknown_id_is_one_line(build: Build, inside: Inside, tmp_path: Path) -> None:
    folder = build(many(12)).path
    told = inside("retract", folder, "--item", "nope", "--reason", "x", "--out", tmp_path / "new")
    assert told.code == 2 and told.err.strip() == f"error: {folder}: no item or dialogue 'nope'"

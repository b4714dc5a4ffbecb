"""A build leaves out, refuses or reports what screening blocks, and never copies personal data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from exports.evaluation import load_dialogues
from exports.screening import read_texts
from salitrap.cli.main import app
from salitrap.errors import InputError
from salitrap.records import Fault
from salitrap.settings import ScreeningSettings
from tests.exports.conftest import Build, contents
from tests.exports.dialogue_samples import families
from tests.exports.samples import certified, many

CLEAR = "13800138000"
BAD = certified(900, prompt=f"40 and 3.5: ring {CLEAR}", item_id="bad")


def test_a_blocked_item_is_left_out_with_its_reason_and_masked(build: Build, out: Path) -> None:
    built = build([*many(), BAD])
    assert [one.fault for one in built.withheld] == [Fault.PERSONAL_DATA]
    assert "138****8000" in built.withheld[0].reason
    assert built.screening is not None
    assert (built.screening.left_out, built.screening.blocked) == (1, {"phone": 1})
    assert CLEAR not in built.model_dump_json()
    assert all(CLEAR.encode() not in content for content in contents(out).values())
    assert json.loads((out / "manifest.json").read_text("utf-8"))["screening"]["left_out"] == 1
    assert "blocked: phone 1 (1 left out)" in (out / "README.md").read_text("utf-8")


def test_a_build_that_refuses_writes_nothing(build: Build, out: Path) -> None:
    with pytest.raises(
        InputError, match=r"screening blocks 1 texts, the first bad: .*138\*\*\*\*8000"
    ) as raised:
        build([*many(), BAD], screening=ScreeningSettings(on_finding="refuse"))
    assert CLEAR not in str(raised.value)
    assert not out.exists()


def test_a_build_that_reports_publishes_and_says_so(build: Build) -> None:
    built = build([*many(), BAD], screening=ScreeningSettings(on_finding="report"))
    assert built.withheld == ()
    assert any("published all the same" in notice for notice in built.notices)


def test_a_warning_leaves_nothing_out(build: Build) -> None:
    built = build([*many(), certified(900, prompt="40 and 3.5 at 192.0.2.44", item_id="warned")])
    assert built.withheld == ()
    assert built.screening is not None
    assert built.screening.warned == {"ip": 1}


def test_the_command_shows_findings_masked_and_exits_with_one(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"prompt": f"ring {CLEAR}"}) + "\n", "utf-8")
    ran = CliRunner().invoke(app, ["screen", str(path), "--json"])
    assert ran.exit_code == 1
    assert json.loads(ran.stdout)["findings"][0]["finding"]["shown"] == "138****8000"
    assert CLEAR not in ran.output


def test_the_command_asks_a_model_and_keeps_what_it_said(tmp_path: Path) -> None:
    path, kept = tmp_path / "texts.jsonl", tmp_path / "found.json"
    path.write_text(
        json.dumps({"prompt": "40 eggs [[flag:weapons something odd]] and 3 pans"}) + "\n", "utf-8"
    )
    ran = CliRunner().invoke(
        app, ["screen", str(path), "--model", "lab/checker", "--out", str(kept), "--json"]
    )
    assert ran.exit_code == 1, ran.output
    found = json.loads(kept.read_text("utf-8"))["findings"]
    assert [(one["finding"]["category"], one["finding"]["by"]) for one in found] == [("weapons", "model")]


def test_the_dialogues_of_a_dataset_are_read_too(build: Build) -> None:
    folder = build(dialogues=families(1)).path
    texts = read_texts(folder)
    turns = [text for text in texts if text.field.startswith("turns.")]
    spoken = {turn.content for row in load_dialogues(folder, split="all").rows for turn in row.dialogue.turns}
    assert {text.text for text in turns} == spoken and len(turns) < len(texts)
    assert not any(text.field.startswith("turns.") for text in read_texts(build().path))


def test_a_text_with_odd_line_ends_is_one_text(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"prompt": "one\u2028two\u0085three"}, ensure_ascii=False) + "\n", "utf-8")
    assert [text.text for text in read_texts(path)] == ["one\u2028two\u0085three"]

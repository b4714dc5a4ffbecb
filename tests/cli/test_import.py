"""``salitrap import`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.in_process import Inside
from tests.exports.importing.test_items import RECORD, record


def test_items_then_results_then_analysis(inside: Inside, tmp_path: Path) -> None:
    source, items, rows = tmp_path / "p.json", tmp_path / "items.jsonl", tmp_path / "rows.jsonl"
    source.write_text(json.dumps([RECORD]))
    told = inside("import", source, "--from", "paper-items", "--out", items)
    assert told.code == 0 and "1 item of 1 record." in told.out and "note: records of the paper" in told.err
    (tmp_path / "r.jsonl").write_text(json.dumps({"model": "m", "item_id": "cand_0007", "verdict": "Pass"}))
    how = ("--field", "label=verdict", "--items", items, "--json")
    told = inside("import", tmp_path / "r.jsonl", "--from", "paper-results", "--out", rows, *how)
    assert told.code == 0 and json.loads(told.out)["imported"] == 1
    analysed = json.loads(inside("analyze", rows, "--json").out)
    assert analysed["models"]["m"]["overall"]["tar"] == 100.0


def test_rejects_are_told_and_exit_with_1(inside: Inside, tmp_path: Path) -> None:
    source = tmp_path / "p.json"
    source.write_text(json.dumps([RECORD, record(item_id="b", attack_tier="none")]))
    told = inside("import", source, "--from", "paper-items", "--out", tmp_path / "items.jsonl")
    assert (
        told.code == 1 and "1 reject in" in told.err and "record 2: attack_tier: received 'none'" in told.err
    )


def test_wrong_use_is_one_line(inside: Inside, tmp_path: Path) -> None:
    source = tmp_path / "p.json"
    source.write_text(json.dumps([RECORD]))
    how = (source, "--from", "paper-items", "--out", tmp_path / "o.jsonl")
    for more, said in ((("--field", "x"), "OURS=THEIRS"), (("--items", source), "--from paper-results")):
        told = inside("import", *how, *more)
        assert told.code == 2 and said in told.err and len(told.err.strip().splitlines()) == 1

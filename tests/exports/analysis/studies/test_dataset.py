"""What a dataset says of its items reaches the studies, also by way of the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.analysis import facts_of, studies_of
from exports.evaluation import Evalset, load_evalset
from salitrap.records import LabelRow
from tests.cli.in_process import Inside
from tests.exports.analysis.samples import row, write
from tests.exports.conftest import Build


def rows_of(evalset: Evalset) -> list[LabelRow]:
    """Two models that pass every other and every third item."""
    return [
        row(
            model=model,
            item_id=item.item_id,
            seed_id=item.seed_id,
            label="Pass" if at % step == 0 else "Hard Fail",
            number_count=len(item.injected_numbers),
        )
        for model, step in (("lab/one", 2), ("lab/two", 3))
        for at, item in enumerate(evalset.items)
    ]


def test_facts_of_a_built_dataset(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = build().path
    evalset = load_evalset(folder, split="all")
    facts = facts_of(evalset.items)
    assert facts.keys() == {item.item_id for item in evalset.items}
    rows = rows_of(evalset)
    found = studies_of(rows, facts=facts)
    sensitivity = found.by_arm["control"].solver_family["lab/one"]
    assert sensitivity.everything.n + sensitivity.missing == len(evalset.items)
    labels = write(tmp_path / "labels.jsonl", rows)
    told = Inside(monkeypatch, capsys)("analyze", labels, "--dataset", folder, "--json")
    assert json.loads(told.out)["studies"] == found.model_dump(mode="json")

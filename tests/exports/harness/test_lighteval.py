"""The lighteval module with lighteval's own source; torch and transformers are stand-ins, no model runs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.exports.harness.conftest import RUNNERS, Run, harnessed, rows_of

pytestmark = harnessed


def test_lighteval_takes_the_module_and_makes_its_documents(folder: Path, run: Run) -> None:
    done = run("python", RUNNERS / "lighteval_source.py", folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().split("\n")[-1])
    rows = rows_of(folder)
    assert found["name"] == "sieve_co_items"
    assert found["docs"] == {row["item_id"]: row["prompt"] for row in rows}
    assert sorted(found["golds"]) == sorted([row["ground_truth"]] for row in rows)
    assert found["generation_size"] == 8192
    assert (found["rates"], found["mean"]) == ([{"answered": 1.0}, {"answered": 0.0}], 0.5)

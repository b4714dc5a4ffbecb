"""The demo: one command from nothing to a dataset that loads, and always the same one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest

import exports.dataset
from salitrap.cli.demo import _print_loaded
from salitrap.cli.demo_settings import SOLVERS
from tests.cli.helpers import salitrap as salitrap_process
from tests.cli.helpers import tree
from tests.cli.in_process import salitrap

SMALL = ("--items", 12)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("demo") / "run"
    done = salitrap_process("demo", "--run", run, *SMALL)
    assert done.returncode == 0, done.stderr
    assert "Loaded back by datasets.load_dataset" in done.stdout
    return run


def test_every_row_says_that_it_is_simulated(demo: Path) -> None:
    rows = [
        json.loads(line)
        for path in (demo / "dataset" / "jsonl" / "items").iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert rows
    assert all(row["simulated"] is True for row in rows)
    card = (demo / "dataset" / "README.md").read_text(encoding="utf-8")
    assert "simulat" in card.partition("\n---\n")[2].strip().splitlines()[0].lower()


def test_both_languages_are_in_it(demo: Path) -> None:
    text = (demo / "dataset" / "jsonl" / "items" / "test.jsonl").read_text(encoding="utf-8")
    assert '"language": "en"' in text
    assert '"language": "zh"' in text


@pytest.mark.parametrize(("workers", "hashseed"), [(1, "1"), (16, "random")])
def test_bytes_do_not_depend_on_workers_or_hash_seed(
    demo: Path, tmp_path: Path, workers: int, hashseed: str
) -> None:
    done = salitrap_process(
        "demo", "--run", tmp_path / "run", *SMALL, "--workers", workers, PYTHONHASHSEED=hashseed
    )
    assert done.returncode == 0, done.stderr
    assert tree(tmp_path / "run" / "dataset") == tree(demo / "dataset")


def test_another_seed_gives_another_benchmark(demo: Path, tmp_path: Path) -> None:
    done = salitrap_process("demo", "--run", tmp_path / "run", *SMALL, "--seed", 7)
    assert done.returncode == 0, done.stderr
    assert tree(tmp_path / "run" / "dataset") != tree(demo / "dataset")


def test_the_end_of_it_is_readable_at_80_columns(demo: Path) -> None:
    """Commands were broken in the middle, names of solvers too, and one line had two labels."""
    done = salitrap_process("demo", "--run", demo, *SMALL, COLUMNS="80")
    assert f"Next: salitrap status {demo}; salitrap show --run {demo} ITEM_ID" in done.stderr.splitlines()
    assert "Evaluation: Spend" not in done.stdout
    assert any(line.startswith("Evaluation: ") for line in done.stdout.splitlines())
    rates = done.stdout.partition("Rates of the lab's simulated solvers")[2]
    for name in SOLVERS:
        assert any(line.startswith(f"│ {name} ") for line in rates.splitlines())
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


def test_no_progress_bar_runs_through_the_results(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``load_dataset`` drew its own in the middle of the tables, on a terminal."""
    shown: list[bool] = []
    loaded = exports.dataset.load_back

    def load_back(*arguments: Any) -> Any:
        shown.append(datasets.is_progress_bar_enabled())
        return loaded(*arguments)

    monkeypatch.setattr(exports.dataset, "load_back", load_back)
    _print_loaded(demo / "dataset")
    datasets.enable_progress_bars()
    assert shown == [False]


def test_running_again_pays_nothing_and_changes_nothing(demo: Path) -> None:
    before = tree(demo / "dataset")
    spent = json.loads(salitrap("status", demo, "--json").stdout)["spend"]["attempts"]
    assert salitrap_process("demo", "--run", demo, *SMALL).returncode == 0
    assert json.loads(salitrap("status", demo, "--json").stdout)["spend"]["attempts"] == spent
    assert tree(demo / "dataset") == before


def test_the_funnel_adds_up_and_every_reject_is_a_row(demo: Path) -> None:
    report = json.loads(salitrap("status", demo, "--json").stdout)
    assert report["funnel_faults"] == []
    assert report["finished"] is True
    seeds, candidates = report["funnel"]["seeds"], report["funnel"]["candidates"]
    offered = seeds["experts"] + seeds["drafts"] + seeds["batches_failed"]
    assert offered == seeds["accepted"] + sum(seeds["rejected"].values())
    assert candidates["written"] == sum(candidates["by_status"].values())
    rejects = (demo / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    not_items = candidates["written"] - report["funnel"]["items"]
    lost = sum(candidates["unwritten"].values())
    talks = report["funnel"]["dialogues"]
    not_kept = talks["written"] - talks["stable"] + talks["controls_refused"] + talks["failed_calls"]
    assert talks["stable"] > 0
    assert len(rejects) == sum(seeds["rejected"].values()) + seeds["set_aside"] + not_items + lost + not_kept
    assert all(json.loads(row)["reason"] for row in rejects)


def test_show_explains_an_item_from_stored_evidence(demo: Path) -> None:
    first = (demo / "dataset" / "jsonl" / "items" / "test.jsonl").read_text(encoding="utf-8").splitlines()[0]
    item = json.loads(first)
    told = json.loads(salitrap("show", item["item_id"], "--run", demo, "--json").stdout)
    assert told["seed"]["trap_core"] == item["trap_core"]
    assert told["lineage"][0]["candidate"]["parent_id"] is None
    assert told["lineage"][-1]["candidate"]["prompt"] == item["prompt"]
    assert len(told["judgements"]) == 5
    shown = salitrap("show", item["item_id"], "--run", demo)
    assert shown.returncode == 0
    for checker in ("truth", "align", "nat"):
        assert checker in shown.stdout
    told_flat = " ".join(shown.stdout.split())
    for judgement in (told["lineage"][-1]["judgement"], *told["judgements"]):
        notices = judgement["evidence"]["notices"]
        assert f"{judgement['label']} [notices {notices}" in told_flat
        assert " ".join(judgement["evidence"]["quote"].split()) in told_flat
    assert shown.stdout.count("answer ") >= 6


@pytest.mark.parametrize("encoding", ["cp950", "cp1252", "gbk", "ascii"])
def test_old_code_pages_do_not_crash_the_screen(demo: Path, encoding: str) -> None:
    item = json.loads(
        (demo / "dataset" / "jsonl" / "items" / "test.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    )
    for arguments in (("status", demo), ("show", item["item_id"], "--run", demo), ("seeds", "list")):
        done = salitrap_process(*arguments, PYTHONIOENCODING=encoding)
        assert done.returncode == 0, done.stderr


def test_another_size_in_the_same_directory_goes_through_to_the_rates(tmp_path: Path) -> None:
    """Guards against a demo that stops at its very end because rows of an earlier one lie there."""
    for items in (4, 12):
        done = salitrap_process("demo", "--run", tmp_path / "run", "--items", items)
        assert done.returncode == 0, done.stderr
    dataset = tmp_path / "run" / "dataset" / "jsonl" / "items"
    built = {
        json.loads(line)["item_id"]
        for path in dataset.iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    labels = (tmp_path / "run" / "demo-labels.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["item_id"] for line in labels} == built

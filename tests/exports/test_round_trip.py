"""What was certified comes back through the loader that readers use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from exports.dataset import Split, items_of, load_back
from exports.dataset.features import arrow_schema, column_names
from salitrap.errors import InputError
from tests.exports.conftest import ROOT, Build
from tests.exports.samples import certified, many


def test_both_splits_come_back_with_every_character(build: Build, out: Path, tmp_path: Path) -> None:
    built = build()
    loaded = load_back(out, tmp_path / "cache")
    assert {split: data.num_rows for split, data in loaded.items()} == built.splits
    assert set(loaded) == {"test", "dev"}
    sent = {item.item_id: item for item in many()}
    for item in items_of(loaded):
        source = sent.pop(item.item_id)
        shared = source.model_dump(exclude={"candidate_id"})
        assert item.model_dump(include=set(shared)) == shared
    assert not sent


def test_loader_sees_the_version_and_the_declared_types(build: Build, out: Path, tmp_path: Path) -> None:
    build(version="2.3.4")
    for data in load_back(out, tmp_path / "cache").values():
        assert str(data.info.version) == "2.3.4"
        assert data.features.arrow_schema.remove_metadata() == arrow_schema().remove_metadata()


def test_loader_picks_parquet_and_not_the_lines_beside_it(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    rows = sum(data.num_rows for data in load_back(out, tmp_path / "cache").values())
    assert rows == len(many())


def test_plain_load_dataset_reads_the_folder(build: Build, out: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    build()
    loaded = load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert sorted(loaded) == ["dev", "test"]


def test_parquet_alone_carries_its_features(build: Build, out: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    build()
    file = str(out / "data/items/test-00000-of-00001.parquet")
    loaded = load_dataset("parquet", data_files=file, cache_dir=str(tmp_path / "cache"))["train"]
    assert tuple(loaded.features) == column_names()


def test_lines_hold_the_same_rows_one_a_line(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    loaded = load_back(out, tmp_path / "cache")
    for split in Split:
        text = (out / f"jsonl/items/{split.value}.jsonl").read_bytes().decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines()]
        assert rows == list(loaded[split.value])


@pytest.mark.parametrize("dev_share", [0.0, 1e-12])
def test_dataset_without_dev_split_still_loads(
    build: Build, out: Path, tmp_path: Path, dev_share: float
) -> None:
    built = build(dev_share=dev_share)
    assert list(load_back(out, tmp_path / "cache")) == ["test"]
    skipped = [notice for notice in built.notices if "split dev" in notice]
    assert len(skipped) == (1 if dev_share else 0)


def test_dataset_of_dev_alone_still_loads(build: Build, out: Path, tmp_path: Path) -> None:
    build(dev_share=1.0)
    assert list(load_back(out, tmp_path / "cache")) == ["dev"]


def test_a_rebuilt_folder_is_not_read_from_the_old_cache(build: Build, out: Path, tmp_path: Path) -> None:
    build([certified(0)], dev_share=0.0)
    assert load_back(out, tmp_path / "cache")["test"].num_rows == 1
    build(many(10), dev_share=0.0)
    assert load_back(out, tmp_path / "cache")["test"].num_rows == 10


def test_a_missing_folder_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="dataset folder"):
        load_back(tmp_path / "org" / "name", tmp_path / "cache")


_LOAD_WITHOUT_NETWORK = """
import sys
from pathlib import Path

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise SystemExit(f"network: {event} {arguments}")

sys.addaudithook(refuse)
from exports.dataset import load_back
print(sorted(load_back(Path(sys.argv[1]), Path(sys.argv[2]))))
"""


def test_loading_touches_no_network_and_draws_no_bars(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    arguments = [sys.executable, "-c", _LOAD_WITHOUT_NETWORK, str(out), str(tmp_path / "cache")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "['dev', 'test']\n"), done.stderr
    assert "%|" not in done.stderr


def test_importing_the_room_loads_no_heavy_library() -> None:
    script = "import sys, exports.dataset; print([m for m in ('pyarrow', 'datasets') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.stdout == "[]\n", done.stderr

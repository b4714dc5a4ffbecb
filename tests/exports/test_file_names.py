"""Names of files come from our own words, never from ids, models or dataset names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exports.dataset import verify_folder
from tests.exports.conftest import Build
from tests.exports.samples import certified, facts

ODD = ("a:b?c/../d", "CON", "org/name:tag", "..", "nul.txt", "a" * 110, "名字 🚗", "http://127.0.0.1:8000/v1")


@pytest.mark.parametrize("odd", ODD)
def test_odd_identifiers_never_reach_a_path(build: Build, out: Path, odd: str) -> None:
    items = [certified(0, seed_id=odd, item_id=odd, dimension_tag=odd, solver_family=odd), certified(2)]
    built = build(items, name=odd, facts=facts(models={odd: (odd,)}), dev_share=0.0)
    assert tuple(path for path in built.files if not path.startswith("harness/")) == (
        "CHANGELOG.md",
        "README.md",
        "data/items/test-00000-of-00001.parquet",
        "eval.yaml",
        "jsonl/items/test.jsonl",
        "manifest.json",
        "plots/composition.svg",
        "plots/numbers.svg",
    )
    parts = [part for path in built.files for part in path.split("/")]
    assert not any(re.search(r'[<>:"\\|?*\x00-\x1f]|[ .]$', part) for part in parts)
    assert verify_folder(out) == ()


def test_text_is_utf8_under_any_locale(build: Build, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "cp950")
    monkeypatch.setenv("LC_ALL", "C")
    build(name="陷阱 🚗")
    assert "陷阱 🚗" in (out / "README.md").read_bytes().decode("utf-8")
    for path in out.rglob("*.*"):
        assert path.suffix == ".parquet" or b"\r" not in path.read_bytes()

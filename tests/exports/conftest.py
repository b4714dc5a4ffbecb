from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from exports.dataset import BuiltDataset, build_dataset
from salitrap.records.item import CertifiedItem
from tests.exports.samples import facts, many

Build = Callable[..., BuiltDataset]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "ds"


@pytest.fixture
def build(out: Path) -> Build:
    def _build(items: Iterable[CertifiedItem] | None = None, **changes: Any) -> BuiltDataset:
        values: dict[str, Any] = {
            "facts": facts(),
            "out": out,
            "version": "1.0.0",
            "license": "cc-by-4.0",
            "name": "SaliTrap",
            "dev_share": 0.3,
            **changes,
        }
        return build_dataset(many() if items is None else items, values.pop("facts"), **values)

    return _build


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }

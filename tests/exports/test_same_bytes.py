"""Equal input gives equal files."""

from __future__ import annotations

import hashlib
import os
import random
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

from exports.dataset.features import NEWER
from tests.exports.conftest import ROOT, Build, contents
from tests.exports.samples import facts, many


def test_rebuild_gives_identical_bytes(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    first = contents(out)
    build()
    assert contents(out) == first
    build(out=tmp_path / "elsewhere" / "deep")
    assert contents(tmp_path / "elsewhere" / "deep") == first


def test_order_of_items_and_facts_does_not_matter(build: Build, out: Path) -> None:
    build()
    first = contents(out)
    shuffled = list(many())
    random.Random(7).shuffle(shuffled)
    given = facts()
    build(
        iter(shuffled),
        facts=facts(
            prompts=dict(reversed(given.prompts.items())),
            models=dict(reversed(given.models.items())),
            dimensions=dict(reversed(given.dimensions.items())),
        ),
    )
    assert contents(out) == first


_BUILD = """
import sys
from pathlib import Path
from exports.dataset import build_dataset
from tests.exports.samples import facts, many

build_dataset(
    set(many()), facts(), out=Path(sys.argv[1]), version="1.0.0", license="cc-by-4.0",
    name="SaliTrap", dev_share=0.3,
)
"""


def test_hash_seed_of_the_process_does_not_matter(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    expected = contents(out)
    for seed in ("0", "1", "random"):
        place = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [sys.executable, "-c", _BUILD, str(place)], env=environment, check=True, timeout=60, cwd=ROOT
        )
        assert contents(place) == expected


def test_ids_and_splits_of_the_sample_never_change(build: Build, out: Path) -> None:
    """A golden value: split and row order must survive every later version of the toolkit.

    Columns that came later are left out: rows have gained them since the value was taken.
    """
    build()
    lines = (out / "jsonl/items/test.jsonl").read_bytes()
    for name in chain.from_iterable(NEWER):
        lines = re.sub(rf'"{name}": (false|null), '.encode(), b"", lines)
    assert hashlib.sha256(lines).hexdigest() == (
        "98b5326ae85ddcfd09ae777e67b0f31411488378d898dc1ede98d6d95ff1114f"
    )

"""Functions of items.yaml: rows, the prompt exactly as it stands, and whether there is an answer at all.

Rows come from the folder around these files; ``--metadata '{"dataset": "ORG/NAME@v1.0.0"}'`` takes those of
the Hub, and the keys ``split`` and ``language`` choose among them.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import datasets

COLUMNS = ("item_id", "seed_id", "dimension_tag", "language", "prompt", "trap_core", "ground_truth", "canary")


def load(dataset: str = "", split: str = "", language: str = "", **_: Any) -> dict[str, datasets.Dataset]:
    """Rows under the one split name that items.yaml knows; other keys are the model's and passed over."""
    rows = _data().rows("items", split, dataset, language)
    return {"rows": datasets.Dataset.from_list([{key: row[key] for key in COLUMNS} for row in rows])}


def prompt_of(doc: dict[str, Any]) -> str:
    """The column ``prompt``, nothing around it."""
    return str(doc["prompt"])


def target_of(doc: dict[str, Any]) -> str:
    """For the log and for a judge; no answer is compared with it here."""
    return str(doc["ground_truth"])


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """``answered`` is 1 when there is any text: a check of the run, not a score of the model."""
    return {"answered": float(bool(results[0].strip()))}


def _data() -> ModuleType:
    spec = importlib.util.spec_from_file_location("trap_data", Path(__file__).with_name("trap_data.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

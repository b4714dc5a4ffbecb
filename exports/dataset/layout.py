"""Where things lie in a dataset folder."""

from __future__ import annotations

from exports.dataset.splits import Split, check_split_name

ITEMS = "items"
DIALOGUES = "dialogues"
RETIRED = "retired"
"""Items that a later version took out, with the reason: not asked any more."""

RETIRED_DIALOGUES = "retired_dialogues"
"""The same for dialogues with their controls."""
CARD = "README.md"
CHANGELOG = "CHANGELOG.md"
MANIFEST = "manifest.json"


def parquet_path(config: str, split: Split) -> str:
    """Path of a split's parquet file, relative to the folder, with forward slashes."""
    return f"data/{config}/{check_split_name(split.value)}-00000-of-00001.parquet"


def jsonl_path(config: str, split: Split) -> str:
    """Path of a split's JSONL file, relative to the folder, with forward slashes."""
    return f"jsonl/{config}/{check_split_name(split.value)}.jsonl"

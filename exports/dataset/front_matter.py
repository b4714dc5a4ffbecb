"""The YAML block of a dataset card: what the Hub and ``datasets`` read."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from exports.dataset.features import COLUMNS_OF, card_features
from exports.dataset.layout import ITEMS, parquet_path
from exports.dataset.release import Release
from exports.dataset.splits import Split
from salitrap.records.base import Record
from salitrap.records.enums import Language

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"
_TAGS = ("commonsense-reasoning", "salience-bias", "adversarial", "llm-evaluation", "salitrap")


class SplitSize(Record):
    """Rows of a split, bytes of its table in memory, bytes of its parquet file."""

    rows: int
    table_bytes: int
    file_bytes: int


ConfigSizes = dict[Split, SplitSize]


def front_matter(
    release: Release, sizes: Mapping[str, ConfigSizes], languages: tuple[Language, ...], *, simulated: bool
) -> str:
    """Return the block with its two ``---`` lines; every data file is named exactly.

    ``sizes`` are by configuration; the first one is loaded by default.
    """
    rows = sum(size.rows for config in sizes.values() for size in config.values())
    block = {
        "license": release.license,
        "language": [language.value for language in languages],
        "pretty_name": release.name,
        "tags": [*_TAGS, *(["simulated"] if simulated else [])],
        "task_categories": ["question-answering"],
        "size_categories": [size_category(rows)],
        "configs": [_config(release, name, config) for name, config in sizes.items()],
        "dataset_info": [_dataset_info(name, config) for name, config in sizes.items()],
    }
    text = yaml.safe_dump(block, allow_unicode=True, sort_keys=False, width=1000)
    return f"---\n{text}---\n"


def size_category(rows: int) -> str:
    """Return the Hub's size category for a number of rows."""
    return next((name for limit, name in _SIZES if rows < limit), _LARGEST)


def _config(release: Release, name: str, sizes: ConfigSizes) -> dict[str, object]:
    return {
        "config_name": name,
        "version": release.version,
        **({"default": True} if name == ITEMS else {}),
        "data_files": [{"split": split.value, "path": parquet_path(name, split)} for split in sizes],
    }


def _dataset_info(name: str, sizes: ConfigSizes) -> dict[str, object]:
    return {
        "config_name": name,
        "features": card_features(COLUMNS_OF[name]),
        "splits": [
            {"name": split.value, "num_bytes": size.table_bytes, "num_examples": size.rows}
            for split, size in sizes.items()
        ],
        "download_size": sum(size.file_bytes for size in sizes.values()),
        "dataset_size": sum(size.table_bytes for size in sizes.values()),
    }

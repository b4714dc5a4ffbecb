"""Read a dataset folder back the way its users will: through ``datasets.load_dataset``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from exports.dataset.layout import ITEMS
from exports.dataset.manifest import read_manifest
from salitrap.records.item import Item

if TYPE_CHECKING:
    from datasets import Dataset


def load_back(folder: Path, cache_dir: Path) -> dict[str, Dataset]:
    """Load the items of a dataset folder; returns one ``Dataset`` a split.

    A folder is read from the disk alone. ``cache_dir`` takes the loader's working copy.

    Raises:
        InputError: the folder is not a dataset built here (or does not exist; the loader would go
            on to look for it on the Hub).
    """
    read_manifest(folder)
    import datasets

    with _quiet(sys.stderr.isatty()):
        loaded = datasets.load_dataset(str(folder.resolve()), ITEMS, cache_dir=str(cache_dir))
    return dict(loaded)


def items_of(loaded: Mapping[str, Dataset]) -> tuple[Item, ...]:
    """Return the rows of all splits as records."""
    return tuple(Item.model_validate(row) for split in loaded.values() for row in split)


@contextmanager
def _quiet(is_terminal: bool) -> Iterator[None]:
    import datasets

    if is_terminal or not datasets.is_progress_bar_enabled():
        yield
        return
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        datasets.enable_progress_bars()

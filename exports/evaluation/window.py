"""Part of a dataset by version and day: as of an earlier version, or only what came later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar

from exports.dataset.dialogue_rows import PublishedDialogue, RetiredDialogue
from exports.dataset.layout import RETIRED, RETIRED_DIALOGUES
from exports.dataset.manifest import Manifest
from exports.dataset.release import checked_date, version_key
from exports.evaluation.dataset_rows import ALL_SPLITS, rows_of
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.item import Item, RetiredItem


class Dated(Protocol):
    """A row with the version in which it appeared, and its day if that is known."""

    @property
    def version_added(self) -> str:
        """The version."""
        ...

    @property
    def date_added(self) -> str | None:
        """The day, YYYY-MM-DD."""
        ...


RowT = TypeVar("RowT", bound=Dated)
RetiredT = TypeVar("RetiredT", RetiredItem, RetiredDialogue)


class Window(Record):
    """Which rows count; with neither, all of the dataset's version.

    ``as_of`` is a version: what had appeared by then and was not retired yet. ``added_since`` is a day: what
    appeared on it or later; a row whose day is not known does not count.
    """

    as_of: str | None = None
    added_since: str | None = None

    @property
    def told(self) -> str:
        """In words, for messages; empty when everything counts."""
        as_of = f" as of version {self.as_of}" if self.as_of else ""
        return as_of + (f" added since {self.added_since}" if self.added_since else "")

    def holds(self, row: Dated) -> bool:
        """True for a row that had appeared by the version, and on the day or later."""
        if self.as_of is not None and version_key(row.version_added) > version_key(self.as_of):
            return False
        return self.added_since is None or (row.date_added or "") >= self.added_since


EVERYTHING = Window()


def checked_window(manifest: Manifest, as_of: str | None, added_since: str | None) -> Window:
    """Check what a user chose.

    Raises:
        InputError: the version is none or later than the dataset's, or the day is none.
    """
    if as_of is not None and version_key(as_of) > version_key(manifest.version):
        raise InputError(f"version {as_of}: the dataset is version {manifest.version}; give an earlier one")
    return Window(as_of=as_of, added_since=None if added_since is None else checked_date(added_since))


def came_back(folder: Path, manifest: Manifest, split: str, window: Window) -> Iterator[Item]:
    """Items of the version that ``window`` names which a later one retired."""
    for row in _retired_since(folder, manifest, RETIRED, split, window, RetiredItem):
        yield Item.model_validate(row.model_dump(include=set(Item.model_fields)))


def dialogues_came_back(
    folder: Path, manifest: Manifest, split: str, window: Window
) -> Iterator[PublishedDialogue]:
    """The same for dialogues and their controls."""
    for row in _retired_since(folder, manifest, RETIRED_DIALOGUES, split, window, RetiredDialogue):
        yield PublishedDialogue.model_validate(row.model_dump(include=set(PublishedDialogue.model_fields)))


def _retired_since(
    folder: Path, manifest: Manifest, config: str, split: str, window: Window, kind: type[RetiredT]
) -> Iterator[RetiredT]:
    if window.as_of is None or config not in manifest.configs:
        return
    if split not in (ALL_SPLITS, *manifest.configs[config].splits):
        return
    for row in rows_of(folder, manifest, config, split, kind):
        if version_key(row.retired_in) > version_key(window.as_of):
            yield row

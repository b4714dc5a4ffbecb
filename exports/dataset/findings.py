"""What can be wrong with a dataset folder."""

from __future__ import annotations

from enum import StrEnum

from salitrap.records.base import Record


class FolderFault(StrEnum):
    """Kind of a fault."""

    BAD_MANIFEST = "bad_manifest"
    BAD_PATH = "bad_path"
    MISSING_FILE = "missing_file"
    CHANGED_FILE = "changed_file"
    UNLISTED_FILE = "unlisted_file"
    BAD_TABLE = "bad_table"
    WRONG_COLUMNS = "wrong_columns"
    WRONG_ROWS = "wrong_rows"
    WRONG_IDS = "wrong_ids"
    SHARED_FAMILY = "shared_family"
    WRONG_CARD = "wrong_card"
    MOVED_TAG = "moved_tag"


class FolderFinding(Record):
    """One fault: its kind, the file it concerns, and what it means for the reader."""

    fault: FolderFault
    path: str
    message: str


def finding(fault: FolderFault, path: str, message: str) -> FolderFinding:
    """Return a finding about ``path``, relative to the folder."""
    return FolderFinding(fault=fault, path=path, message=f"{path}: {message}")

"""The run directory: its lock, its revisions and the files derived from the registry."""

from curation.directory.derived import write_derived
from curation.directory.layout import Layout
from curation.directory.lock import Lock, holder_of
from curation.directory.revisions import Revision, read_revisions, record_revision

__all__ = [
    "Layout",
    "Lock",
    "Revision",
    "holder_of",
    "read_revisions",
    "record_revision",
    "write_derived",
]

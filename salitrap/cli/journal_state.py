"""Whether the journal of a run is there, and what it says was spent; a reading never writes."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path

from curation.dedup.vectors import past_requests
from curation.directory import Layout, read_revisions
from curation.registry import Registry
from curation.registry.waves import counts_so_far
from exports.calibration.store import FILE
from exports.evaluation import Target
from salitrap.errors import RunDirectoryError
from salitrap.providers.journal.opening import begun
from salitrap.providers.money.spend import Spend, Totals
from salitrap.providers.open import read_spend
from salitrap.settings import Settings


class JournalState(StrEnum):
    """``missing``: the registry holds what models replied, and the journal is gone or was begun anew.

    ``not_started``: there is none yet, or one whose process was killed before anything could be recorded.
    """

    PRESENT = "present"
    MISSING = "missing"
    NOT_STARTED = "not_started"


def journal_of(directory: Path) -> tuple[JournalState, Spend | None]:
    """The state of a run's journal and its sums, None for sums that are unknown.

    Raises:
        RunDirectoryError: no run here, damaged, or written by a newer version.
    """
    layout = Layout(directory)
    settings = read_revisions(layout)[-1].settings
    if not layout.journal.is_file():
        state = JournalState.MISSING if _started(layout) else JournalState.NOT_STARTED
        return state, None
    spend = _spend(layout.journal, settings, past_requests(layout.embeddings))
    if not spend.attempts and _replied(layout):
        return JournalState.MISSING, None
    if not spend.attempts and not begun(layout.journal):
        return JournalState.NOT_STARTED, None
    return JournalState.PRESENT, spend


def calibration_spend(directory: Path) -> Spend | None:
    """What calibrations kept in a run have used; None when there was none. The run's budget leaves it out.

    Raises:
        RunDirectoryError: no run here, or the journal cannot be read.
    """
    journal = Target(directory / FILE).journal
    if not journal.is_file():
        return None
    spend = _spend(journal, read_revisions(Layout(directory))[-1].settings)
    return spend if spend.attempts else None


def missing_journal(directory: Path) -> str:
    """What a missing journal means, for people."""
    return (
        f"The journal ({Layout(directory).journal}) is missing: calls, tokens and cost are unknown. Results "
        "in the registry stay; for all others, calls that were paid already would be paid again."
    )


def _started(layout: Layout) -> bool:
    """True when a stage has written something, which it does after the journal was opened."""
    return _holds(layout, "SELECT 1 FROM events LIMIT 1")


def _replied(layout: Layout) -> bool:
    """True when the registry holds what models replied."""
    if not layout.registry.is_file():
        return False
    with closing(Registry.open_reader(layout.registry)) as registry:
        batches = counts_so_far(registry).batches
    return bool(batches) or _holds(layout, "SELECT 1 FROM answers LIMIT 1")


def _holds(layout: Layout, query: str) -> bool:
    if not layout.registry.is_file():
        return False
    with closing(Registry.open_reader(layout.registry)) as registry:
        return registry.connection.execute(query).fetchone() is not None


def _spend(journal: Path, settings: Settings, embeddings: Sequence[Totals] = ()) -> Spend:
    """Sums of a journal and of the embeddings; where no file can be made beside it, those of a copy.

    SQLite needs two helper files beside a journal in WAL mode, also to read it.
    """
    try:
        return read_spend(journal, settings, embeddings)
    except RunDirectoryError:
        if os.access(journal.parent, os.W_OK):
            raise
    with tempfile.TemporaryDirectory(prefix="salitrap-") as folder:
        for path in journal.parent.glob(f"{journal.name}*"):
            shutil.copyfile(path, Path(folder) / path.name)
        return read_spend(Path(folder) / journal.name, settings, embeddings)

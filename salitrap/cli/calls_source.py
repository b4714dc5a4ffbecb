"""Which journal is meant, and what its calls cost."""

from __future__ import annotations

from pathlib import Path

from curation.directory import Layout, read_revisions
from salitrap.errors import RunDirectoryError
from salitrap.providers.money.prices import price_lookup
from salitrap.providers.money.spend import PriceOf

SQLITE_START = b"SQLite format 3\x00"
EVALUATION_ENDING = ".journal.sqlite"
JOURNAL_ENDING = ".sqlite"


def journal_file(where: Path) -> Path:
    """The journal of a run directory, of an evaluation's label file, or ``where`` itself.

    Raises:
        RunDirectoryError: there is none.
    """
    beside = where.with_name(where.name + EVALUATION_ENDING)
    if where.is_dir():
        found = Layout(where).journal
    elif where.is_file() and _is_database(where):
        found = where
    else:
        found = beside
    if not found.is_file():
        raise RunDirectoryError(
            f"{where}: no journal here ({found} is missing); give a run directory, the label file of an "
            "evaluation, or a journal"
        )
    return found


def price_source(journal: Path) -> PriceOf:
    """Prices for rows that recorded none: of the run's own settings where there are some, else the table's.

    Raises:
        RunDirectoryError: ``run.yaml`` beside the journal is damaged.
    """
    layout = Layout(journal.parent)
    is_run = journal.name == layout.journal.name and layout.run_file.is_file()
    return price_lookup(read_revisions(layout)[-1].settings if is_run else None)


def _is_database(path: Path) -> bool:
    """True also for a journal that is still empty: the process that began it was killed at once."""
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE_START))
        return start == SQLITE_START or (not start and path.suffix == JOURNAL_ENDING)
    except OSError as error:
        raise RunDirectoryError(f"{path}: cannot be read ({error.strerror or error})") from error

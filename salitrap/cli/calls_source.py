"""Which journal is meant, and what its calls cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curation.directory import Layout, read_revisions
from salitrap.errors import RunDirectoryError
from salitrap.providers.money.prices import KnownPrice, known_prices, recorded_price

SQLITE_START = b"SQLite format 3\x00"
EVALUATION_ENDING = ".journal.sqlite"


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


def price_source(journal: Path) -> Callable[[str, str], KnownPrice | None]:
    """Prices of the run's own settings where there are some, else those of the table.

    Raises:
        RunDirectoryError: ``run.yaml`` beside the journal is damaged.
    """
    layout = Layout(journal.parent)
    is_run = journal.name == layout.journal.name and layout.run_file.is_file()
    known = known_prices(read_revisions(layout)[-1].settings) if is_run else {}
    looked_up: dict[tuple[str, str], KnownPrice | None] = {}

    def price_of(model: str, address: str) -> KnownPrice | None:
        if model in known:
            return known[model]
        if (model, address) not in looked_up:
            looked_up[model, address] = recorded_price(model, address)
        return looked_up[model, address]

    return price_of


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_START)) == SQLITE_START
    except OSError as error:
        raise RunDirectoryError(f"{path}: cannot be read ({error.strerror or error})") from error

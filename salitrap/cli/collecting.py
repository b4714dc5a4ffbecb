"""``salitrap calls --collect``: replies that wait in batches, also those that no settings ask for now."""

from __future__ import annotations

import asyncio
import shlex
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import out, print_json
from salitrap.errors import BatchesLeft

if TYPE_CHECKING:
    from salitrap.providers.journal.batches import Waiting


def collect(where: Path, journal: Path, as_json: bool) -> None:
    """Book what is done, and say what was and what still waits.

    Raises:
        BatchesLeft: something still waits.
        ConfigError: a key, a proxy or a file of certificates is not there.
        RunDirectoryError: another process is at work with this journal.
        StoppedError: a provider cannot be asked.
    """
    from salitrap.providers.collecting import collect_batches

    with _alone_with(journal):
        before, _ = _waiting(journal)
        left = asyncio.run(collect_batches(journal)) if before.requests else before
    collected = before.requests - left.requests
    if as_json:
        print_json({"journal": str(journal), "collected": collected, "waiting": left._asdict()})
    else:
        replies = "1 reply" if collected == 1 else f"{collected:,} replies"
        out().print(f"Collected: {replies}; nothing new was sent.", soft_wrap=True)
    if left.requests:
        _, oldest = _waiting(journal)
        raise BatchesLeft(_to_come_back(where, left, oldest))


def _to_come_back(where: Path, left: Waiting, oldest: datetime | None) -> str:
    from salitrap.cli.batches_left import when_to_come_back

    again = shlex.join(["salitrap", "calls", str(where), "--collect"])
    return f"{when_to_come_back(left, oldest)}\nTo go on: {again}"


def _waiting(journal: Path) -> tuple[Waiting, datetime | None]:
    from contextlib import closing

    from salitrap.providers.journal.batches import BatchBook
    from salitrap.providers.journal.store import Journal

    with closing(Journal(journal, read_only=True)) as opened:
        book = BatchBook(opened)
        return book.waiting(), book.oldest()


def _alone_with(journal: Path) -> AbstractContextManager[Any]:
    """The lock of the run or the evaluation that the journal belongs to."""
    from curation.directory import Layout, Lock
    from exports.evaluation import Target
    from salitrap.cli.calls_source import EVALUATION_ENDING

    if journal.name.endswith(EVALUATION_ENDING):
        return Target(journal.with_name(journal.name.removesuffix(EVALUATION_ENDING))).locked()
    return Lock(Layout(journal.parent).lock)

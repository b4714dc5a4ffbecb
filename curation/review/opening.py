"""Open a run for review: to write while nobody else does, otherwise to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from curation.directory import Layout, Lock, holder_of, read_revisions, write_derived
from curation.opinions import reviewer_name
from curation.registry import Registry
from curation.review.desk import Desk
from salitrap.errors import InputError, RunDirectoryError
from salitrap.settings import Settings

HOLDER = "salitrap review"


@dataclass(frozen=True, slots=True)
class Reviewing:
    """An open review.

    ``desk`` is None where the run can only be read, since process ``holder`` works on it; 0 is nobody known.
    """

    layout: Layout
    registry: Registry
    settings: Settings
    author: str
    desk: Desk | None
    holder: int = 0

    @property
    def name(self) -> str:
        """The run's name."""
        return self.settings.name


@contextmanager
def open_review(directory: Path, author: str) -> Iterator[Reviewing]:
    """Open a run under the reviewer's name; lists for other tools are written anew when something was said.

    Raises:
        InputError: the name cannot be used.
        RunDirectoryError: no run here, damaged, or written by a newer version.
        DiskFull: something could not be written.
    """
    name = checked_name(author)
    layout = Layout(directory)
    settings = read_revisions(layout)[-1].settings
    if not layout.registry.is_file():
        raise RunDirectoryError(f"{directory}: nothing to review yet; run the scale stage here first")
    with ExitStack() as stack:
        try:
            stack.enter_context(Lock(layout.lock, holder=HOLDER))
        except RunDirectoryError:
            reader = stack.enter_context(closing(Registry.open_reader(layout.registry)))
            yield Reviewing(layout, reader, settings, name, None, holder_of(layout.lock) or 0)
            return
        registry = stack.enter_context(closing(Registry.open(layout.registry)))
        before = _last_event(registry)
        yield Reviewing(layout, registry, settings, name, Desk(registry, settings, name))
        if _last_event(registry) != before:
            write_derived(layout, registry)


def checked_name(author: str) -> str:
    """The name of a reviewer as it is stored.

    Raises:
        InputError: it cannot be used.
    """
    try:
        return reviewer_name(author)
    except ValueError as error:
        raise InputError(f"reviewer {author[:80]!r}: {error}; give another --reviewer") from error


def _last_event(registry: Registry) -> int:
    (number,) = registry.connection.execute("SELECT COALESCE(MAX(seq), 0) FROM events").fetchone()
    return int(number)

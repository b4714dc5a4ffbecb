"""The runs that are merged: opened for reading, held against each other before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from curation.directory import Layout, Lock, Revision, read_revisions
from curation.registry import Registry
from curation.registry.progress import refuse_hardening
from salitrap.errors import InputError, RunDirectoryError

HOLDER = "salitrap merge"


@dataclass(frozen=True, slots=True)
class Source:
    """An open run that nobody works on."""

    layout: Layout
    registry: Registry
    revision: Revision

    @property
    def name(self) -> str:
        """Its directory, as the user gave it."""
        return str(self.layout.root)

    @property
    def simulated(self) -> bool:
        """True when a simulated model answered in it."""
        query = "SELECT 1 FROM answers WHERE json_extract(record, '$.provenance.simulated') LIMIT 1"
        return self.registry.connection.execute(query).fetchone() is not None


@contextmanager
def open_sources(directories: Sequence[Path]) -> Iterator[tuple[Source, ...]]:
    """Open all runs, so that none of them changes meanwhile.

    Raises:
        InputError: fewer than two, or one given twice.
        RunDirectoryError: one is no run, in use, damaged, or without anything in it.
    """
    if len({directory.resolve() for directory in directories}) < max(2, len(directories)):
        raise InputError("merge takes two or more different run directories")
    with ExitStack() as stack:
        yield tuple(_opened(directory, stack) for directory in directories)


def refuse_mixtures(sources: Sequence[Source], *, allow_simulated: bool) -> None:
    """Runs that must not be one.

    Raises:
        InputError: one hardens a release, a domain says different things in two of them, or only some are
            simulated.
    """
    for source in sources:
        refuse_hardening(source.registry)
    known: dict[str, tuple[str, str]] = {}
    for source in sources:
        for tag, fact in source.revision.domains.items():
            first, sha256 = known.setdefault(tag, (source.name, fact.sha256))
            if sha256 != fact.sha256:
                raise InputError(
                    f"domain {tag} says different things in {first} and {source.name}; run one of them again "
                    "with the domain files of the other"
                )
    simulated = [source.simulated for source in sources]
    if any(simulated) and not all(simulated) and not allow_simulated:
        which = ", ".join(source.name for source, marked in zip(sources, simulated, strict=True) if marked)
        told = f"{which}: made with simulated models, the others not"
        raise InputError(f"{told}; give --allow-simulated to mix them")


def _opened(directory: Path, stack: ExitStack) -> Source:
    layout = Layout(directory)
    layout.require()
    revision = read_revisions(layout)[-1]
    if not layout.registry.is_file():
        raise RunDirectoryError(f"{directory}: nothing in it yet; run the scale stage there first")
    stack.enter_context(Lock(layout.lock, instead="merge other runs", holder=HOLDER))
    return Source(layout, stack.enter_context(closing(Registry.open_reader(layout.registry))), revision)

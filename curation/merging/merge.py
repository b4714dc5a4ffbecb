"""Make one run of several: the first one's registry and journal, and what the others have beyond it.

The first run's settings govern a later resume, with targets for what is there. Everything is written beside
the place and moved there when it is whole, so that a failure leaves nothing behind.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_hex

from curation.cells import cells_of
from curation.directory import Layout, record_revision, write_derived
from curation.fingerprints import scale_fingerprint
from curation.integrity import RunFault, verify_run
from curation.merging.seeds import SeedBook, decide, scale_batch
from curation.merging.sources import Source, open_sources, refuse_mixtures
from curation.merging.units import take_people, take_unit
from curation.registry import Registry
from curation.registry.chain import head_of
from curation.registry.faults import translated
from curation.registry.queries import items as items_of_registry
from salitrap.errors import InputError, SalitrapError
from salitrap.records import Domain, Language
from salitrap.records.base import Record
from salitrap.settings import Settings

SOURCES = "sources.json"
OF_JOURNALS = (RunFault.MISSING_FILE, RunFault.CALL_MISSING)
"""What a merge cannot make good: calls that a source had lost before."""

LoadsDomains = Callable[[tuple[str, ...]], tuple[Domain, ...]]


class Merged(Record):
    """What a merge came to.

    ``new_seeds`` counts, by source, the seeds worked on that no earlier source has; ``seeds`` are all.
    ``said`` counts what people said in the other sources.
    """

    directory: str
    sources: tuple[str, ...]
    new_seeds: tuple[int, ...]
    seeds: int
    said: int
    items: int


def merge_runs(
    directories: Sequence[Path],
    out: Path,
    load_domains: LoadsDomains,
    *,
    allow_simulated: bool = False,
) -> Merged:
    """Merge runs into the new directory ``out``.

    Raises:
        InputError: ``out`` is there, or the runs cannot be one.
        RunDirectoryError: one is no run, in use, or damaged.
        DiskFull: there was no space; nothing was left behind.
    """
    if out.exists():
        raise InputError(f"{out}: is there already; give the path of a new directory")
    with open_sources(directories) as sources:
        refuse_mixtures(sources, allow_simulated=allow_simulated)
        part = _folder_beside(out)
        try:
            merged = _merged(sources, Layout(part), load_domains)
            part.rename(out)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return merged.model_copy(update={"directory": str(out)})


def _folder_beside(out: Path) -> Path:
    """A new hidden folder on the same disk; no folder of anybody else is touched."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_name(f".{out.name}.merging-{token_hex(4)}")
        part.mkdir()
    except OSError as error:
        raise InputError(f"{out}: cannot be made ({error.strerror or error}); choose another path") from error
    return part


def _merged(sources: Sequence[Source], layout: Layout, load_domains: LoadsDomains) -> Merged:
    first, rest = sources[0], sources[1:]
    layout.create()
    _copy_databases(first, layout)
    book = decide(sources, first.revision.settings.scale.similarity)
    with closing(Registry.open(layout.registry)) as registry:
        said = 0
        for source in rest:
            for seed_id in book.chosen:
                take_unit(registry, source.registry, seed_id)
            said += take_people(registry, source.registry)
            _add_calls(layout.journal, source.layout.journal)
        _settle(sources, book, layout, registry, load_domains)
        write_derived(layout, registry)
        items = sum(1 for _ in items_of_registry(registry))
    _write_sources(layout, sources)
    _require_whole(layout)
    return Merged(
        directory=str(layout.root),
        sources=tuple(source.name for source in sources),
        new_seeds=tuple(book.new[source.name] for source in sources),
        seeds=len(book.active),
        said=said,
        items=items,
    )


def _settle(
    sources: Sequence[Source],
    book: SeedBook,
    layout: Layout,
    registry: Registry,
    load_domains: LoadsDomains,
) -> None:
    """Settings with targets for what is there, and scaling at its end under them."""
    settings = _settings(sources, book)
    domains, prompts = load_domains(settings.domains), sources[0].revision.prompts
    shutil.copy2(sources[0].layout.run_file, layout.run_file)
    record_revision(layout, settings, domains, prompts)
    fingerprint = scale_fingerprint(settings, domains, prompts)
    registry.write(scale_batch(book, sources, fingerprint, settings, domains))
    registry.set_targets({cell.key: cell.target for cell in cells_of(settings, domains)})


def _settings(sources: Sequence[Source], book: SeedBook) -> Settings:
    given = [source.revision.settings for source in sources]
    domains = tuple(dict.fromkeys(name for one in given for name in one.domains))
    languages = tuple(language for language in Language if any(language in one.languages for one in given))
    return given[0].model_copy(update={"domains": domains, "languages": languages, "targets": book.targets})


def _copy_databases(first: Source, layout: Layout) -> None:
    for path, copy in ((first.layout.registry, layout.registry), (first.layout.journal, layout.journal)):
        if path.is_file():
            with translated(copy), closing(_reader(path)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)


def _add_calls(journal: Path, other: Path) -> None:
    """All calls of another journal, also those that both made: both were paid."""
    if not other.is_file():
        return
    with translated(journal), closing(sqlite3.connect(journal)) as connection:
        connection.execute("ATTACH DATABASE ? AS other", (str(other),))
        for table, skipped in (("calls", {"id"}), ("batches", set()), ("batch_requests", set())):
            theirs, ours = (
                [row[1] for row in connection.execute(f"PRAGMA {schema}.table_info({table})")]
                for schema in ("other", "main")
            )
            names = ", ".join(name for name in ours if name in theirs and name not in skipped)
            chosen = f"SELECT {names} FROM other.{table}"
            connection.execute(f"INSERT OR IGNORE INTO main.{table} ({names}) {chosen}")
        connection.commit()


def _reader(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _write_sources(layout: Layout, sources: Sequence[Source]) -> None:
    told = [
        {
            "run": source.name,
            "name": source.revision.settings.name,
            "settings_sha256": source.revision.settings_sha256,
            "last_event": head_of(source.registry.connection),
        }
        for source in sources
    ]
    text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    (layout.root / SOURCES).write_text(text, encoding="utf-8")


def _require_whole(layout: Layout) -> None:
    found = [one for one in verify_run(layout.root) if one.fault not in OF_JOURNALS]
    if found:
        raise SalitrapError(
            f"the merged run is not whole: {found[0].message} ({len(found)} findings); nothing was written; "
            "check the runs with salitrap verify, and if they are sound, please report this"
        )

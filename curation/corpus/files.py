"""Deduplicate files: kept rows, a list of those dropped, and a list of pairs to read."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from curation.corpus.decide import CorpusDeduplicator, Decision, Filter, Twin
from curation.corpus.drafts import drafting
from curation.corpus.rows import JSONL, PARQUET, Row, check_format, copy_rows
from curation.pairs import ReviewKind
from salitrap.errors import InputError

REJECTS, REVIEW = "rejects.jsonl", "review.jsonl"
BAD_ROW = "bad_row"
FAULTS_TOLD = 20
"""Bad rows named in the report; the list of dropped rows names all."""


@dataclass
class Report:
    """Counts of one run; ``faults`` are the first bad rows as ``file:line: what``.

    ``blank`` counts lines without anything in them, which are no rows.
    """

    outputs: list[str] = field(default_factory=list)
    rows: int = 0
    kept: int = 0
    empty: int = 0
    identical: int = 0
    similar: int = 0
    near: int = 0
    numbers_or_units_only: int = 0
    bad: int = 0
    blank: int = 0
    faults: list[str] = field(default_factory=list)
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Targets:
    """Where each source's kept rows go, and the two lists."""

    folder: Path
    kept: dict[Path, Path]
    rejects: Path
    review: Path


def dedup_files(sources: Sequence[Path], to: Path, field_name: str, dedup: CorpusDeduplicator) -> Report:
    """Go through ``sources`` in order as one sequence of rows.

    ``to`` is a folder for files of the same names, or with one source a file of the same format. Nothing
    appears under a final name before everything is complete.

    Raises:
        InputError: a source cannot be used, no row of it has the field, or a target exists.
    """
    targets = _targets(sources, to)
    with drafting(targets.folder) as drafts, ExitStack() as open_files:
        lists = [
            open_files.enter_context(drafts.of(path).open("w", encoding="utf-8", errors="surrogatepass"))
            for path in (targets.rejects, targets.review)
        ]
        run = _Run(dedup, *lists)
        for source in sources:
            run.take(source, drafts.of(targets.kept[source]), field_name)
        open_files.close()
    run.report.engine = dedup.engine
    run.report.outputs = [str(path) for path in (*targets.kept.values(), targets.rejects, targets.review)]
    return run.report


class _Run:
    """One pass: which row is which text, what is written where, and the counts."""

    def __init__(self, dedup: CorpusDeduplicator, rejects: TextIO, review: TextIO) -> None:
        self.report = Report()
        self._dedup, self._rejects, self._review = dedup, rejects, review
        self._sources, self._starts, self._rows = list[str](), array("q"), array("q")

    def take(self, source: Path, target: Path, field_name: str) -> None:
        self._sources.append(str(source))
        self._starts.append(len(self._rows))
        self.report.blank += copy_rows(source, target, field_name, self._wanted)

    def _wanted(self, row: Row) -> bool:
        self.report.rows += 1
        if row.fault:
            self._note_fault(row)
            return False
        self._rows.append(row.number)
        decision = self._dedup.add(row.text)
        self._note(row, decision)
        return decision.kept

    def _note_fault(self, row: Row) -> None:
        self.report.bad += 1
        where = f"{self._sources[-1]}:{row.number}"
        if len(self.report.faults) < FAULTS_TOLD:
            self.report.faults.append(f"{where}: {row.fault}")
        _write(self._rejects, {**self._place(row), "filter": BAD_ROW, "reason": row.fault})

    def _note(self, row: Row, decision: Decision) -> None:
        report = self.report
        report.kept += decision.kept
        report.empty += not row.text.strip()
        report.identical += decision.dropped_for is Filter.IDENTICAL
        report.similar += decision.dropped_for is Filter.SIMILAR
        report.near += decision.review is ReviewKind.NEAR
        report.numbers_or_units_only += decision.review is ReviewKind.NUMBERS_OR_UNITS_ONLY
        if decision.twin is None:
            return
        pair = {**self._place(row), **self._twin(decision.twin)}
        if decision.dropped_for is not None:
            _write(self._rejects, {**pair, "filter": decision.dropped_for.value})
        elif decision.review is not None:
            _write(self._review, {**pair, "kind": decision.review.value})

    def _place(self, row: Row) -> dict[str, object]:
        return {"file": self._sources[-1], "row": row.number}

    def _twin(self, twin: Twin) -> dict[str, object]:
        source = max(place for place, start in enumerate(self._starts) if start <= twin.number)
        return {
            "twin_file": self._sources[source],
            "twin_row": self._rows[twin.number],
            "score": round(twin.score, 6),
        }


def _write(target: TextIO, record: dict[str, object]) -> None:
    target.write(json.dumps(record, ensure_ascii=False) + "\n")


def _targets(sources: Sequence[Path], to: Path) -> Targets:
    for source in sources:
        check_format(source)
    single = to.suffix.lower() in (*JSONL, *PARQUET) and not to.is_dir()
    if single and (len(sources) != 1 or to.suffix.lower() != sources[0].suffix.lower()):
        raise InputError(f"--out {to}: one file of the same format, or a folder for files of the same names")
    folder = to.parent if single else to
    kept = {source: to if single else folder / source.name for source in sources}
    prefix = f"{to.stem}." if single else ""
    targets = Targets(folder, kept, folder / f"{prefix}{REJECTS}", folder / f"{prefix}{REVIEW}")
    _refuse_clashes(sources, targets)
    return targets


def _refuse_clashes(sources: Sequence[Path], targets: Targets) -> None:
    finals = [*(targets.kept[source] for source in sources), targets.rejects, targets.review]
    for place, final in enumerate(finals):
        if final in finals[:place]:
            raise InputError(f"{final}: two files would get this name; run the command for each of them")
        if final.exists():
            raise InputError(f"{final}: exists already; give another --out, or remove it")
    if targets.folder.exists() and not targets.folder.is_dir():
        raise InputError(f"--out {targets.folder}: is not a folder")

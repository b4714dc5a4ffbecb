"""An analysis as files: ``metrics.json`` with everything, and tables of rates and studies as CSV."""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from exports.analysis.metrics import RATES
from exports.analysis.records import Analysis, Rates
from exports.analysis.study_csv import COLUMNS as STUDY_COLUMNS
from exports.analysis.study_csv import study_lines
from exports.dataset.disk import disk_faults, write_file
from salitrap.errors import InputError
from salitrap.records import Label

METRICS, OVERALL, DIMENSIONS, LANGUAGES = "metrics.json", "overall.csv", "dimensions.csv", "languages.csv"
FILES = (OVERALL, DIMENSIONS, LANGUAGES, *STUDY_COLUMNS, METRICS)
"""Names of the files that are written."""

_GROUPS = {
    OVERALL: ("arm", "model"),
    DIMENSIONS: ("arm", "model", "dimension"),
    LANGUAGES: ("arm", "model", "language"),
}
"""First columns of each table."""

_COUNTS = ("n", "unscored", "items", "seeds", "repeats", "simulated", "late_notice")


def write_analysis(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write the files into ``folder``, each one whole or not at all, and return their paths.

    Files of an earlier analysis are replaced; other files in the folder are left alone.

    Raises:
        InputError: a file of one of these names was not made by an analysis, or cannot be written.
        DiskFull: there is no space left; nothing half-written stays.
    """
    contents = {
        OVERALL: _csv_bytes(OVERALL, _overall_lines(analysis)),
        DIMENSIONS: _csv_bytes(DIMENSIONS, _dimension_lines(analysis)),
        LANGUAGES: _csv_bytes(LANGUAGES, _language_lines(analysis)),
        **{name: _csv_bytes(name, lines) for name, lines in study_lines(analysis.studies).items()},
        METRICS: json_bytes(analysis),
    }
    for name in FILES:
        _refuse_foreign(folder / name)
    with disk_faults(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _replace_all(folder, contents)
    return tuple(folder / name for name in FILES)


def json_bytes(analysis: Analysis) -> bytes:
    """Return the analysis as JSON in UTF-8, numbers unrounded."""
    text = json.dumps(analysis.model_dump(mode="json"), ensure_ascii=False, allow_nan=False, indent=2)
    return (text + "\n").encode("utf-8")


def _replace_all(folder: Path, contents: dict[str, bytes]) -> None:
    """Write all files under other names first, then rename them."""
    mark = secrets.token_hex(4)
    waiting = {name: folder / f".{name}.{mark}" for name in contents}
    try:
        for name, content in contents.items():
            write_file(waiting[name], content)
        for name, path in waiting.items():
            os.replace(path, folder / name)
    finally:
        for path in waiting.values():
            path.unlink(missing_ok=True)


def _refuse_foreign(path: Path) -> None:
    if (path.exists() or path.is_symlink()) and not _is_ours(path):
        raise InputError(
            f"{path}: was not made by salitrap analyze and would be lost; move it or give another folder"
        )


def _is_ours(path: Path) -> bool:
    if not path.is_file() or path.is_symlink():
        return False
    content = path.read_bytes()
    if path.name == METRICS:
        return _is_analysis(content)
    header = ",".join(_columns(path.name)) + "\n"
    return content.removeprefix(BOM_UTF8).startswith(header.encode())


def _is_analysis(content: bytes) -> bool:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("tool") == Analysis.model_fields["tool"].default


def _overall_lines(analysis: Analysis) -> Iterator[list[object]]:
    for arm, model, metrics in analysis.lines():
        yield [arm, model, *_cells(metrics.overall)]


def _dimension_lines(analysis: Analysis) -> Iterator[list[object]]:
    for arm, model, metrics in analysis.lines():
        for tag, rates in metrics.dimensions.items():
            yield [arm, model, tag, *_cells(rates)]


def _language_lines(analysis: Analysis) -> Iterator[list[object]]:
    for arm, model, metrics in analysis.lines():
        for language, rates in metrics.languages.items():
            yield [arm, model, language.value, *_cells(rates)]


def _columns(name: str) -> list[str]:
    """First line of the table."""
    if name in STUDY_COLUMNS:
        return list(STUDY_COLUMNS[name])
    labels = [f"count_{label.value.lower().replace(' ', '_')}" for label in Label]
    rates = [f"{rate}{end}" for rate in _rate_names() for end in ("", "_low", "_high")]
    return [*_GROUPS[name], *_COUNTS, *labels, *rates, "tar_cluster_low", "tar_cluster_high"]


def _cells(rates: Rates) -> list[object]:
    values: dict[str, Any] = rates.model_dump()
    cells: list[object] = [values[name] for name in _COUNTS]
    cells += [rates.counts[label] for label in Label]
    for name in _rate_names():
        cells += [values[name], *(values[f"{name}_ci"] or (None, None))]
    return [*cells, *(rates.tar_cluster_ci or (None, None))]


def _rate_names() -> list[str]:
    return [*RATES, "late_notice_rate"]


def _csv_bytes(name: str, lines: Iterable[list[object]]) -> bytes:
    """One table, with a byte order mark so that spreadsheets take it for the UTF-8 that it is."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_columns(name))
    writer.writerows(lines)
    return text.getvalue().encode("utf-8-sig")

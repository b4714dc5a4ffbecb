"""Import a file: rows, rejects with their reasons, and a report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from exports.dataset.disk import disk_faults, write_file
from exports.dataset.jsonl_file import json_line
from exports.importing.fields import ITEM_FIELDS, Fields
from exports.importing.items import ImportedItem, item_of, lacking_fields, read_items
from exports.importing.reading import CannotMap, Given, read_records
from exports.importing.results import (
    ABOUT_FAILURES,
    ABOUT_LABELS,
    NEEDED,
    RESULT_FIELDS,
    UNUSED,
    row_of,
)
from salitrap.errors import InputError
from salitrap.records import LabelRow
from salitrap.records.base import Record
from salitrap.text import missing_numbers

Row = ImportedItem | LabelRow
MOST_DIGITS = 300


class Source(StrEnum):
    """What a file holds."""

    ITEMS = "paper-items"
    RESULTS = "paper-results"


class ImportReport(Record):
    """What came of a file; ``reasons`` counts rejects by the field at fault."""

    source: str
    kind: Source
    records: int
    imported: int
    rejected: int
    reasons: dict[str, int]
    first_rejects: tuple[str, ...]
    notes: tuple[str, ...]
    out: str
    rejects: str


@dataclass
class _Mapped:
    rows: list[Row] = field(default_factory=list)
    rejects: list[tuple[Given, CannotMap]] = field(default_factory=list)


def import_file(
    path: Path,
    kind: Source,
    out: Path,
    *,
    items: Path | None = None,
    renamed: Mapping[str, str] | None = None,
    skipped: Collection[str] = (),
    force: bool = False,
) -> ImportReport:
    """Write the rows of ``path`` to ``out`` and what has no place among them to ``OUT.rejects.jsonl``.

    ``items`` are imported items, for results that do not say seed and dimension. ``renamed`` maps names
    of the paper to those of the file. A record that repeats another is a reject.

    Raises:
        InputError: the file cannot be read, has fields that the paper does not name or lacks needed ones;
            ``out`` is there already and not to be replaced (``force``), or is ``path`` itself.
        DiskFull: there was no space.
    """
    rejects = out.with_name(f"{out.stem}.rejects.jsonl")
    _check_targets(path, items, (out, rejects), force=force)
    known, needed = (ITEM_FIELDS, ITEM_FIELDS) if kind is Source.ITEMS else (RESULT_FIELDS, NEEDED)
    given = Fields(renamed or {}, skipped).checked(path, read_records(path), known, needed)
    mapped = _map(given, kind, {} if items is None else read_items(items))
    _write(out, (_line(row) for row in mapped.rows))
    _write(rejects, (_reject_line(*reject) for reject in mapped.rejects))
    reasons = Counter(why.field for _, why in mapped.rejects)
    return ImportReport(
        source=str(path),
        kind=kind,
        records=len(given),
        imported=len(mapped.rows),
        rejected=len(mapped.rejects),
        reasons=dict(sorted(reasons.items())),
        first_rejects=tuple(f"record {record.number}: {why}" for record, why in mapped.rejects[:10]),
        notes=(*_notes(mapped.rows, given, kind), *_left_out(skipped)),
        out=str(out),
        rejects=str(rejects),
    )


def _check_targets(path: Path, items: Path | None, targets: Iterable[Path], *, force: bool) -> None:
    sources = [one.resolve() for one in (path, items) if one is not None]
    for target in targets:
        if target.resolve() in sources:
            raise InputError(f"--out: {target} is a file that is read; give another path")
        if target.is_dir():
            raise InputError(f"--out: {target} is a folder; give the path of a file")
        if target.exists() and not force:
            raise InputError(f"--out: {target} is there already; give another path, or --force")


def _map(given: Iterable[Given], kind: Source, items: Mapping[str, ImportedItem]) -> _Mapped:
    mapped, first = _Mapped(), dict[tuple[str, ...], int]()
    for record in given:
        try:
            if record.fault:
                raise CannotMap("record", record.fault)
            row = item_of(record.fields) if kind is Source.ITEMS else row_of(record.fields, items)
            at = first.setdefault(_key(row), record.number)
            if at != record.number:
                raise CannotMap("item_id", f"stands at record {at} already; the paper has it once")
            mapped.rows.append(row)
        except CannotMap as why:
            mapped.rejects.append((record, why))
    return mapped


def _key(row: Row) -> tuple[str, ...]:
    return (row.model, row.item_id, row.arm) if isinstance(row, LabelRow) else (row.item_id,)


def _notes(rows: Iterable[Row], given: Iterable[Given], kind: Source) -> list[str]:
    if kind is Source.RESULTS:
        held = [name for name in UNUSED if any(name in record.fields for record in given)]
        unused = [f"left out, since a label row has no place for it: {', '.join(held)}"] if held else []
        return [ABOUT_LABELS, ABOUT_FAILURES, *unused]
    items = [row for row in rows if isinstance(row, ImportedItem)]
    odd = [item.item_id for item in items if missing_numbers(item.injected_numbers, item.prompt)]
    mute = [item.item_id for item in items if item.language is None]
    notes = [lacking_fields()]
    if odd:
        notes.append(
            f"items with injected numbers that are not in the prompt: {len(odd)}, the first {odd[0]}"
        )
    if mute:
        notes.append(f"items whose prompt is neither English nor Chinese: {len(mute)}, the first {mute[0]}")
    return notes


def _left_out(skipped: Collection[str]) -> list[str]:
    return [f"left out as told: {', '.join(sorted(skipped))}"] if skipped else []


def _line(row: Row) -> str:
    """Results keep to the fields that were given, so that no default reads like a statement of theirs."""
    held = row.model_dump(mode="json", exclude_unset=isinstance(row, LabelRow))
    return json_line(held)


def _reject_line(record: Given, why: CannotMap) -> str:
    told = {"record": record.number, "field": why.field, "reason": str(why), "raw": record.raw}
    return json.dumps(told, default=_number)


def _number(value: Decimal) -> int | float | str:
    """A number of the file as JSON has it; one that no machine number holds as text."""
    if value.adjusted() >= MOST_DIGITS:
        return str(value)
    return int(value) if value == value.to_integral_value() else float(value)


def _write(path: Path, lines: Iterable[str]) -> None:
    content = "".join(line + "\n" for line in lines).encode("utf-8")
    partial = path.with_name(path.name + ".partial")
    with disk_faults(path):
        try:
            write_file(partial, content)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

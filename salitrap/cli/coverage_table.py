"""The coverage of niches on the screen and as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import out, table
from salitrap.errors import SalitrapError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.coverage import AxisCoverage, CellCoverage

SHOWN = 2


def coverage_at(directory: Path) -> tuple[Sequence[CellCoverage], str]:
    """Coverage of a run by the domain files it was last given, or why it cannot be told."""
    from curation.coverage import coverage_in
    from curation.status import settings_of
    from seeds import load_domains

    try:
        domains = load_domains(settings_of(directory).domains)
    except SalitrapError as error:
        return (), f"Coverage of niches is unknown: {error}"
    return coverage_in(directory, domains), ""


def print_coverage(cells: Sequence[CellCoverage], unknown: str = "") -> None:
    """The table, then what was set aside; nothing when no seed was ever scaled."""
    if unknown:
        out().print(unknown, soft_wrap=True)
    if not cells:
        return
    columns = [("dimension", False), ("lang.", False), ("seeds", True)]
    columns += [("tools", True), ("scenes", True), ("areas", True), ("least used", False)]
    rows: list[list[object]] = [
        [cell.dimension_tag, cell.language.value, cell.seeds, *map(_share, cell.axes), _least(cell)]
        for cell in cells
    ]
    out().print(table("Coverage of niches", columns, rows))
    for cell in cells:
        for line in _notes(cell):
            out().print(line, soft_wrap=True)


def coverage_record(cells: Sequence[CellCoverage]) -> list[dict[str, Any]]:
    """The same as JSON, with shares in [0, 1]."""
    return [
        {
            **cell.model_dump(mode="json"),
            "axes": [{**axis.model_dump(mode="json"), "share": axis.share} for axis in cell.axes],
        }
        for cell in cells
    ]


def _share(axis: AxisCoverage) -> str:
    return f"{axis.used}/{axis.values}" if axis.values else "-"


def _least(cell: CellCoverage) -> str:
    """The least used values of all axes, with their seeds; the first of equal ones as in the domain file."""
    uses = sorted((use for axis in cell.axes for use in axis.least), key=lambda use: use.seeds)
    return ", ".join(f"{use.value} {use.seeds}" for use in uses[:SHOWN])


def _notes(cell: CellCoverage) -> list[str]:
    name = f"{cell.dimension_tag} {cell.language.value}"
    notes = [
        f"Set aside in {name}: {one.axis.replace('_', ' ')} {one.value!r}, since {one.reason}."
        for one in cell.set_aside
    ]
    if cell.waiting:
        notes.append(f"{cell.waiting} drafts of {name} wait for cells that have fewer seeds.")
    return notes

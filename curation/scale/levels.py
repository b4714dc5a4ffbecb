"""Even allocation: no cell runs ahead of another by more than a batch.

Cells with different targets are compared by the share of the target that they have. What a fast cell has
ready beyond that waits for the others, so that a run which is looked at or stopped between two waves is
even. Cells that have ended do not hold the others back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curation.cells import Cell, CellState


def cap_of(cell: CellState, slowest: tuple[int, int] | None, ahead: int) -> int:
    """Seeds that ``cell`` may have while the slowest has ``slowest`` (accepted, target)."""
    if slowest is None:
        return cell.target
    accepted, target = slowest
    return min(cell.target, -(-accepted * cell.target // target) + ahead)


def slowest_of(cells: Iterable[CellState], accepted: Mapping[Cell, int]) -> tuple[int, int] | None:
    """(accepted, target) of the open cell with the least share of its target; None when none is open."""
    still = [(accepted[cell.key], cell.target) for cell in cells if cell.end is None]
    missing = [(count, target) for count, target in still if count < target]
    return min(missing, key=_share, default=None)


def _share(one: tuple[int, int]) -> float:
    return one[0] / one[1]

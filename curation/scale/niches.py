"""Which niches of a cell run dry: a value that brings nothing but duplicates is set aside."""

from __future__ import annotations

from curation.cells import CellState
from curation.pending import DryRun, SetAside
from generator.directives import Corner


class NicheBook:
    """Duplicates in a row by corner, and the corners set aside, while a wave is decided."""

    def __init__(self, cell: CellState, most: int) -> None:
        """``most`` duplicates in a row set a corner aside."""
        self._most = most
        self._runs: dict[Corner, int] = {(run.axis, run.value): run.duplicates for run in cell.dry}
        self._aside = list(cell.aside)
        self.newly_aside = 0

    def accepted(self, corner: Corner) -> None:
        """A seed came from here: the count begins anew."""
        self._runs.pop(corner, None)

    def duplicate(self, corner: Corner, fault: str) -> None:
        """A draft from here repeats an accepted seed."""
        if not corner[1] or any((one.axis, one.value) == corner for one in self._aside):
            return
        self._runs[corner] = self._runs.get(corner, 0) + 1
        if self._runs[corner] >= self._most:
            duplicates = self._runs.pop(corner)
            reason = f"{duplicates} drafts in a row were duplicates, the last by {fault}"
            self._aside.append(SetAside(axis=corner[0], value=corner[1], reason=reason))
            self.newly_aside += 1

    @property
    def dry(self) -> tuple[DryRun, ...]:
        """What the cell's state keeps, in order of corner."""
        runs = sorted(self._runs.items())
        return tuple(DryRun(axis=axis, value=value, duplicates=count) for (axis, value), count in runs)

    @property
    def aside(self) -> tuple[SetAside, ...]:
        """Corners set aside so far, oldest first."""
        return tuple(self._aside)

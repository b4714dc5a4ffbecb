"""The state of scaling between two waves."""

from __future__ import annotations

from dataclasses import dataclass

from curation.cells import CellState
from curation.pending import PendingDraft
from curation.registry.events import Event
from salitrap.records import Seed


@dataclass(frozen=True, slots=True)
class ScaleState:
    """All that scaling knows between two waves.

    ``accepted`` is in order of acceptance. ``held`` are sound drafts that wait for cells which lag behind.
    ``fresh`` are the events of the wave just decided, for the registry.
    """

    wave: int
    cells: tuple[CellState, ...]
    accepted: tuple[Seed, ...] = ()
    fresh: tuple[Event, ...] = ()
    rejected: int = 0
    held: tuple[PendingDraft, ...] = ()

    @property
    def finished(self) -> bool:
        """True when no cell asks for more and no draft waits."""
        return self.wave > 0 and not self.held and all(cell.end is not None for cell in self.cells)

    def accepted_in(self, cell: CellState) -> tuple[Seed, ...]:
        """Accepted seeds of one cell, oldest first."""
        return tuple(seed for seed in self.accepted if (seed.dimension_tag, seed.language) == cell.key)

    def waiting_in(self, cell: CellState) -> int:
        """Drafts of one cell that wait."""
        return sum(draft.cell == cell.key for draft in self.held)

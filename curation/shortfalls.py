"""Cells that ended below their target, and what most of their drafts were rejected for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from curation.cells import CellEnd, CellState
from curation.registry import Registry
from curation.registry.waves import newest_wave
from salitrap.records import Fault, Language
from salitrap.records.base import Record

Cell = tuple[str, Language]


class Shortfall(Record):
    """A cell that ended below its target, or has not ended yet (``end`` is ``open``).

    ``rejects`` counts what was offered for it and not accepted; ``reason_count`` of those have the
    fault ``reason``, the commonest one, None when there was no reject.
    """

    dimension_tag: str
    language: Language
    target: int
    accepted: int
    end: str
    rejects: int = 0
    reason: Fault | None = None
    reason_count: int = 0

    @property
    def told(self) -> str:
        """One line for people, such as ``D1 en has 3 of 6 seeds, exhausted (19 of 24 rejects: ...)``."""
        cell = f"{self.dimension_tag} {self.language.value}"
        told = f"{cell} has {self.accepted} of {self.target} seeds, {self.end}"
        if self.reason is None:
            return f"{told} (no draft was written)" if self.end == CellEnd.EXHAUSTED else told
        return f"{told} ({self.reason_count} of {self.rejects} rejects: {self.reason.value})"


def shortfalls_of(registry: Registry) -> tuple[Shortfall, ...]:
    """Cells of the newest wave that lack seeds, against the targets that hold now."""
    wave = newest_wave(registry)
    targets, rejects = _targets(registry), _rejects(registry)
    cells = wave.cells if wave is not None else ()
    return tuple(
        _shortfall(cell, target, rejects.get(cell.key, Counter()))
        for cell in cells
        if cell.accepted < (target := targets.get(cell.key, 0))
    )


def commonest(faults: Mapping[Fault, int]) -> tuple[Fault | None, int]:
    """The fault with the highest count and that count; of equal ones the first of ``Fault``."""
    counted = [fault for fault in Fault if faults.get(fault)]
    if not counted:
        return None, 0
    best = max(counted, key=lambda fault: faults[fault])
    return best, faults[best]


def _shortfall(cell: CellState, target: int, faults: Counter[Fault]) -> Shortfall:
    reason, count = commonest(faults)
    return Shortfall(
        dimension_tag=cell.tag,
        language=cell.language,
        target=target,
        accepted=cell.accepted,
        end=cell.end.value if cell.end is not None else "open",
        rejects=faults.total(),
        reason=reason,
        reason_count=count,
    )


def _rejects(registry: Registry) -> dict[Cell, Counter[Fault]]:
    query = (
        "SELECT json_extract(record, '$.dimension_tag'), json_extract(record, '$.language'), fault, COUNT(*)"
        " FROM rejections WHERE stage = 'scale' GROUP BY 1, 2, 3"
    )
    found: dict[Cell, Counter[Fault]] = {}
    for tag, language, fault, count in registry.connection.execute(query):
        found.setdefault((tag, Language(language)), Counter())[Fault(fault)] += count
    return found


def _targets(registry: Registry) -> dict[Cell, int]:
    rows = registry.connection.execute("SELECT dimension_tag, language, target FROM cells")
    return {(tag, Language(language)): int(target) for tag, language, target in rows}

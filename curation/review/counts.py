"""How many candidates stand where; counted once and brought up to date with what people say."""

from __future__ import annotations

import math
import time
from collections import Counter

from curation.registry import Registry
from salitrap.records import Status

FRESH_SECONDS = 5.0
"""How long counts of a registry that another process writes to are shown."""

MACHINE = (
    "SELECT mine.status, COUNT(*) FROM active_seeds AS seeds"
    " JOIN machine_decisions AS mine USING (seed_id) GROUP BY mine.status"
)
MOVED = (
    "SELECT now.machine_status, now.status, COUNT(*) FROM current_decisions AS now"
    " JOIN active_seeds USING (seed_id)"
    " WHERE now.candidate_id IN (SELECT candidate_id FROM opinions WHERE verdict <> 'open') GROUP BY 1, 2"
)


class Counts:
    """Candidates of the active seeds by status."""

    def __init__(self, registry: Registry) -> None:
        self._registry, self._machine = registry, Counter[str]()
        self._version, self._counted = -1, -math.inf

    def by_status(self) -> dict[Status, int]:
        """Counts with people's decisions in them, in the order of the statuses; those of 0 are left out."""
        counts = Counter(self._by_machine())
        for machine, status, number in self._registry.connection.execute(MOVED):
            counts[machine] -= number
            counts[status] += number
        return {status: counts[status] for status in Status if counts[status] > 0}

    def _by_machine(self) -> Counter[str]:
        (version,) = self._registry.connection.execute("PRAGMA data_version").fetchone()
        if version != self._version and time.monotonic() - self._counted >= FRESH_SECONDS:
            rows = self._registry.connection.execute(MACHINE).fetchall()
            self._machine = Counter({status: number for status, number in rows})
            self._version, self._counted = version, time.monotonic()
        return self._machine

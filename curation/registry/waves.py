"""Read where scaling stands."""

from __future__ import annotations

from curation.cells import WaveCounts, WaveRecord
from curation.registry.registry import Registry


def last_wave(registry: Registry, fingerprint: str) -> WaveRecord | None:
    """The last wave committed under this fingerprint, None when the view is of another."""
    query = "SELECT record FROM waves WHERE fingerprint = ? ORDER BY number DESC LIMIT 1"
    row = registry.connection.execute(query, (fingerprint,)).fetchone()
    return WaveRecord.model_validate_json(row[0]) if row else None


def newest_wave(registry: Registry) -> WaveRecord | None:
    """The last wave of the current view, None when nothing was scaled."""
    row = registry.connection.execute("SELECT record FROM waves ORDER BY number DESC LIMIT 1").fetchone()
    return WaveRecord.model_validate_json(row[0]) if row else None


def counts_so_far(registry: Registry) -> WaveCounts:
    """What came in with all waves together."""
    total = WaveCounts()
    for (record,) in registry.connection.execute("SELECT record FROM waves ORDER BY number"):
        total = total + WaveRecord.model_validate_json(record).counts
    return total

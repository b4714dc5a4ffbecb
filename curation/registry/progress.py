"""Which units of work are done, and how many there are."""

from __future__ import annotations

from curation.registry.events import WorkState
from curation.registry.registry import Registry
from salitrap.records import Stage


def is_done(registry: Registry, stage: Stage, seed_id: str, fingerprint: str) -> bool:
    """True when work on a seed came to its end under this fingerprint."""
    query = "SELECT 1 FROM seed_state WHERE stage = ? AND seed_id = ? AND fingerprint = ? AND state = ?"
    row = registry.connection.execute(query, (stage, seed_id, fingerprint, WorkState.DONE)).fetchone()
    return row is not None


def digest_of(registry: Registry, stage: Stage, seed_id: str) -> str | None:
    """Hash of what a stage came to for a seed, None when it was never visited."""
    query = "SELECT digest FROM seed_state WHERE stage = ? AND seed_id = ?"
    row = registry.connection.execute(query, (stage, seed_id)).fetchone()
    return str(row[0]) if row else None


def last_change(registry: Registry) -> str | None:
    """Day (UTC) of the newest event that items can rest on, YYYY-MM-DD; labels by people are none."""
    (newest,) = registry.connection.execute("SELECT MAX(at) FROM events WHERE kind <> 'label'").fetchone()
    return str(newest)[:10] if newest else None


def count_active(registry: Registry) -> int:
    """Number of seeds within their cells' targets."""
    (number,) = registry.connection.execute("SELECT COUNT(*) FROM active_seeds").fetchone()
    return int(number)


def count_visited(registry: Registry, stage: Stage) -> int:
    """Number of active seeds with an outcome of a stage."""
    query = "SELECT COUNT(*) FROM active_seeds JOIN seed_state USING (seed_id) WHERE stage = ?"
    (number,) = registry.connection.execute(query, (stage,)).fetchone()
    return int(number)

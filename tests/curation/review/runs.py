"""Runs over the scripted world, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curation.registry import Registry
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from salitrap.records import Stage, Status
from salitrap.settings import Settings
from tests.curation.world import JournaledAccess, World, domain, programs, settings

DOMAINS = (domain("D1"), domain("D2", (11, 52)))


def settings_of_tests(**changes: Any) -> Settings:
    return settings(6, **changes)


async def run_again(directory: Path, given: Settings | None = None, stages: Sequence[Stage] = STAGES) -> None:
    """Run stages to their end."""
    with open_run(directory, given or settings_of_tests(), DOMAINS, programs()) as opened:
        await run_stages(opened, JournaledAccess(World(), {}), stages, Silence())


def ids(registry: Registry, status: Status) -> list[str]:
    """Candidates that stand so, in the order of the run."""
    query = (
        "SELECT now.candidate_id FROM current_decisions AS now JOIN active_seeds AS seeds USING (seed_id)"
        " JOIN candidates USING (candidate_id) WHERE now.status = ? ORDER BY seeds.position, ordinal"
    )
    return [row[0] for row in registry.connection.execute(query, (status,))]


def one(registry: Registry, status: Status) -> str:
    return ids(registry, status)[0]


def status_of_one(registry: Registry, candidate_id: str) -> Status:
    query = "SELECT status FROM current_decisions WHERE candidate_id = ?"
    return Status(registry.connection.execute(query, (candidate_id,)).fetchone()[0])


def prompt_of(registry: Registry, candidate_id: str) -> str:
    query = "SELECT json_extract(record, '$.prompt') FROM candidates WHERE candidate_id = ?"
    return str(registry.connection.execute(query, (candidate_id,)).fetchone()[0])

"""A registry with as many candidates as wanted, written at once: what they say does not matter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curation.registry import Registry
from curation.registry.view import stored_json
from salitrap.records import Language, Status
from tests.curation.nodes import node
from tests.curation.world import seed

STATUSES = (
    *(Status.DISCARDED,) * 4,
    *(Status.NATURAL_OBVIOUS,) * 4,
    Status.INVALID,
    Status.CERTIFIED,
    Status.STABLE,
    Status.UNSTABLE,
)
PER_SEED = len(STATUSES)
RARE = 997
"""One candidate in so many is unsettled."""


def fill(path: Path, candidates: int) -> None:
    """Write a registry of ``candidates`` candidates of as many seeds as that takes, a dozen each."""
    registry = Registry.open(path)
    seeds = -(-candidates // PER_SEED)
    registry.set_targets({("D1", Language.EN): seeds, ("D2", Language.EN): seeds})
    connection = registry.connection
    connection.execute("BEGIN")
    for number in range(seeds):
        _seed(connection, number)
        for ordinal in range(min(PER_SEED, candidates - number * PER_SEED)):
            _candidate(connection, number, ordinal)
    connection.execute("COMMIT")
    registry.close()


def _seed(connection: Any, number: int) -> None:
    tag = ("D1", "D2")[number % 2]
    made = seed(number, tag, scenario=f"scenario {number}")
    record = stored_json(made.model_dump(mode="json"))
    row = (f"seed-{number}", number, number // 2, tag, "en", "expert", "f", record)
    connection.execute("INSERT INTO seeds VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def _candidate(connection: Any, number: int, ordinal: int) -> None:
    place = number * PER_SEED + ordinal
    status = Status.UNSETTLED if place % RARE == RARE - 1 else STATUSES[ordinal]
    text = f"Candidate {place}. " + "How many trips do I need for 12 crates of 7 kg? " * 4
    made = node(text, status, ordinal=ordinal)
    key, seed_id = f"cand-{place:08d}", f"seed-{number}"
    record = stored_json(made.candidate.model_dump(mode="json"))
    told = stored_json({**made.decision.model_dump(mode="json"), "candidate_id": key})
    connection.execute(
        "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?)", (key, seed_id, ordinal, None, "f", record)
    )
    row = (key, "refine", seed_id, status.value, "pool", None, 1.0, "f", told)
    connection.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

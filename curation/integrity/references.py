"""What rows of the view refer to must be there: seeds, candidates, parents, calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from curation.integrity.findings import RunFault, RunFinding
from curation.registry import Registry
from curation.registry.registry import NAME

ORPHANS: tuple[tuple[str, str], ...] = (
    (
        "candidate of no seed",
        "SELECT candidate_id FROM candidates WHERE seed_id NOT IN (SELECT seed_id FROM seeds)",
    ),
    *(
        (
            f"{what} of no candidate",
            f"SELECT {column} FROM {table} WHERE {column} NOT IN (SELECT candidate_id FROM candidates)",
        )
        for what, table, column in (
            ("evaluation", "evaluations", "subject_id"),
            ("answer", "answers", "candidate_id"),
            ("judgement", "judgements", "candidate_id"),
            ("decision", "decisions", "candidate_id"),
            ("stability", "stability", "candidate_id"),
            ("item", "items", "candidate_id"),
        )
    ),
    (
        "candidate without a decision",
        "SELECT candidate_id FROM candidates WHERE candidate_id NOT IN (SELECT candidate_id FROM decisions)",
    ),
    (
        "judgement of no answer",
        "SELECT candidate_id FROM judgements AS mine WHERE NOT EXISTS (SELECT 1 FROM answers"
        " WHERE answers.candidate_id = mine.candidate_id AND answers.repeat = mine.repeat)",
    ),
    (
        "event about a candidate that no event tells of",
        "SELECT DISTINCT subject_id FROM events AS mine WHERE kind IN"
        " ('evaluation', 'answer', 'judgement', 'decision', 'stability', 'opinion') AND NOT EXISTS"
        " (SELECT 1 FROM events AS other"
        " WHERE other.subject_id = mine.subject_id AND other.kind = 'candidate')",
    ),
    (
        "dialogue of no seed",
        "SELECT dialogue_id FROM dialogues WHERE seed_id NOT IN (SELECT seed_id FROM seeds)",
    ),
    (
        "control of no dialogue",
        "SELECT dialogue_id FROM dialogues WHERE twin_of <> ''"
        " AND twin_of NOT IN (SELECT dialogue_id FROM dialogues)",
    ),
)
"""What is wrong, and a query for the subjects of which it is."""

LINEAGE: tuple[tuple[str, str], ...] = (
    (
        "its parent is gone",
        "SELECT candidate_id FROM candidates WHERE parent_id IS NOT NULL"
        " AND parent_id NOT IN (SELECT candidate_id FROM candidates)",
    ),
    (
        "it comes before its parent, or from another seed",
        "SELECT mine.candidate_id FROM candidates AS mine JOIN candidates AS parent"
        " ON parent.candidate_id = mine.parent_id"
        " WHERE parent.ordinal >= mine.ordinal OR parent.seed_id <> mine.seed_id",
    ),
    (
        "it has no parent and is not the seed's own prompt",
        "SELECT candidate_id FROM candidates WHERE parent_id IS NULL AND ordinal <> 0",
    ),
)

CALLS = ("evaluations", "answers", "judgements")
"""Tables whose records name the call they came from."""


def reference_findings(registry: Registry) -> Iterator[RunFinding]:
    """Rows that refer to what is not there, and candidates whose descent makes no sense."""
    for fault, queries in ((RunFault.ORPHAN, ORPHANS), (RunFault.LINEAGE, LINEAGE)):
        for told, query in queries:
            for (subject,) in registry.connection.execute(f"{query} ORDER BY 1"):
                yield RunFinding(fault=fault, path=NAME, subject=str(subject), message=f"{subject}: {told}")


def call_findings(registry: Registry, journal: Path) -> Iterator[RunFinding]:
    """Records whose call is not in the journal."""
    with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as calls:
        for table in CALLS:
            column = "subject_id" if table == "evaluations" else "candidate_id"
            query = f"SELECT {column}, json_extract(record, '$.provenance.call_key') FROM {table}"
            for subject, key in registry.connection.execute(query):
                if (
                    key
                    and calls.execute("SELECT 1 FROM calls WHERE key = ? LIMIT 1", (key,)).fetchone() is None
                ):
                    told = f"{subject}: the call {key[:12]} behind one of its {table} is missing"
                    yield RunFinding(
                        fault=RunFault.CALL_MISSING, path=journal.name, subject=subject, message=told
                    )

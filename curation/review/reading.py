"""Small questions to the registry that a review asks again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from curation.opinions import Edit
from curation.registry import Registry
from curation.registry.faults import translated
from curation.registry.people import edits_of
from salitrap.records import Answer, Candidate


@contextmanager
def snapshot(registry: Registry) -> Iterator[None]:
    """One state for everything that is read inside, while another process may be writing."""
    with translated(registry.path):
        registry.connection.execute("BEGIN")
        try:
            yield
        finally:
            registry.connection.execute("COMMIT")


def candidate_of(registry: Registry, candidate_id: str) -> Candidate | None:
    """A candidate of the current view by its full identifier."""
    query = "SELECT record FROM candidates WHERE candidate_id = ?"
    row = registry.connection.execute(query, (candidate_id,)).fetchone()
    return Candidate.model_validate_json(row[0]) if row else None


def seed_id_of(registry: Registry, candidate_id: str) -> str | None:
    """The seed of a candidate, also of an edited text that no run has taken in yet."""
    query = (
        "SELECT seed_id FROM candidates WHERE candidate_id = ?"
        " UNION SELECT seed_id FROM edits WHERE candidate_id = ?"
    )
    row = registry.connection.execute(query, (candidate_id, candidate_id)).fetchone()
    return str(row[0]) if row else None


def answer_at(registry: Registry, candidate_id: str, repeat: int) -> Answer | None:
    """One answer to a candidate; repeat 0 is the first evaluation."""
    query = "SELECT record FROM answers WHERE candidate_id = ? AND repeat = ?"
    row = registry.connection.execute(query, (candidate_id, repeat)).fetchone()
    return Answer.model_validate_json(row[0]) if row else None


def texts_of(registry: Registry, seed_id: str) -> dict[str, str]:
    """Identifier by text of a seed's candidates and of the edits that wait for a run."""
    query = "SELECT record FROM candidates WHERE seed_id = ?"
    found = (Candidate.model_validate_json(row[0]) for row in registry.connection.execute(query, (seed_id,)))
    texts = {one.prompt: one.candidate_id for one in found}
    for edit in edits_of(registry, seed_id):
        texts.setdefault(edit.prompt, edit.candidate_id)
    return texts


def waiting_edits(registry: Registry, seed_id: str) -> tuple[Edit, ...]:
    """Edited texts of a seed that no run has taken in yet, oldest first."""
    query = "SELECT candidate_id FROM candidates WHERE seed_id = ?"
    known = {row[0] for row in registry.connection.execute(query, (seed_id,))}
    return tuple(edit for edit in edits_of(registry, seed_id) if edit.candidate_id not in known)

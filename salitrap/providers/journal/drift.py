"""Which models the providers said they were, and where that changed within a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from salitrap.providers.journal.store import Journal

_QUERY = """
    SELECT model, endpoint, returned_model, count(*) AS replies FROM calls
    WHERE returned_model != '' GROUP BY model, endpoint, returned_model ORDER BY min(id)
"""


@dataclass(frozen=True, slots=True)
class AnsweredAs:
    """An id under which the model of a spec answered, and how many replies of the journal carry it."""

    model: str
    endpoint: str
    returned_model: str
    replies: int


def answered_as(journal: Journal) -> tuple[AnsweredAs, ...]:
    """All ids, those of one model in the order in which they appeared."""
    return tuple(AnsweredAs(*row) for row in journal.select(_QUERY))


def ids_by_place(found: Iterable[AnsweredAs]) -> dict[tuple[str, str], dict[str, int]]:
    """Replies by id, by spec and endpoint, ids in order of appearance."""
    places: dict[tuple[str, str], dict[str, int]] = {}
    for one in found:
        places.setdefault((one.model, one.endpoint), {})[one.returned_model] = one.replies
    return places


def drifts(found: Iterable[AnsweredAs]) -> dict[str, dict[str, int]]:
    """Models that answered under more than one id: replies by id, in order of appearance."""
    changed: dict[str, dict[str, int]] = {}
    for (model, _), ids in ids_by_place(found).items():
        if len(ids) > 1:
            changed.setdefault(model, {}).update(ids)
    return changed


def told(model: str, ids: dict[str, int]) -> str:
    """One line about a model that changed."""
    named = ", then ".join(f"{name} ({count:,} replies)" for name, count in ids.items())
    return f"{model} answered as {named}: the model behind it may have changed during the run"

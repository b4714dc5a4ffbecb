"""The queue: which candidates a reviewer looks at, a page at a time.

Pages begin behind a key (the seed's position, the candidate's place in it), never at an offset: a page
costs the same wherever it is, and what is decided meanwhile moves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from curation.registry import Registry
from curation.registry.faults import translated
from curation.registry.view import stored_json
from curation.review.order import START, Key, Spot, ranked_spot
from salitrap.records import Candidate, Label, Language, Status
from salitrap.records.base import Record

PAGE = 50


class Look(StrEnum):
    """What a queue is about, beside status, language and dimension."""

    DISPUTED = "disputed"
    PEOPLE = "people"
    AGAINST = "against"
    PAIRS = "pairs"
    EDITED = "edited"
    DECIDED = "decided"
    LABELLED = "labelled"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which candidates are in the queue; None and "" leave all in.

    ``open_to`` keeps those that this reviewer has neither decided on nor labelled an answer of.
    """

    status: Status | None = None
    look: Look | None = None
    language: Language | None = None
    dimension: str = ""
    text: str = ""
    open_to: str = ""


class Line(Record):
    """One candidate in a list; ``label`` is the machine's, ``people`` counts those who decided on it."""

    key: Key
    candidate: Candidate
    dimension_tag: str
    status: Status
    machine_status: Status
    fault: str | None
    label: Label | None
    naturalness: float | None
    score: float | None
    disputed: bool
    people: int
    labels: int

    @property
    def candidate_id(self) -> str:
        """Identifier of the candidate."""
        return self.candidate.candidate_id


class Page(Record):
    """Some lines of a queue, and whether there are more on either side."""

    lines: tuple[Line, ...]
    earlier: bool
    later: bool


CONDITIONS: Mapping[Look, str] = {
    Look.DISPUTED: ("mine.candidate_id IN (SELECT candidate_id FROM judgements WHERE disputed = 1)"),
    Look.PEOPLE: (
        "(mine.candidate_id IN (SELECT candidate_id FROM opinions WHERE verdict <> 'open'"
        " GROUP BY candidate_id HAVING COUNT(DISTINCT verdict) > 1)"
        " OR mine.candidate_id IN (SELECT candidate_id FROM labels WHERE label IS NOT NULL"
        " GROUP BY candidate_id, answer_id HAVING COUNT(DISTINCT label) > 1))"
    ),
    Look.AGAINST: (
        "mine.candidate_id IN (SELECT labels.candidate_id FROM labels JOIN judgements ON"
        " judgements.candidate_id = labels.candidate_id"
        " AND judgements.repeat = json_extract(labels.record, '$.repeat')"
        " WHERE labels.label IS NOT NULL"
        " AND labels.label IS NOT json_extract(judgements.record, '$.label'))"
    ),
    Look.PAIRS: (
        "(mine.seed_id IN (SELECT subject_id FROM reviews)"
        " OR mine.seed_id IN (SELECT json_extract(record, '$.twin_id') FROM reviews))"
    ),
    Look.EDITED: "mine.candidate_id IN (SELECT candidate_id FROM edits)",
    Look.DECIDED: "mine.candidate_id IN (SELECT candidate_id FROM opinions WHERE verdict <> 'open')",
    Look.LABELLED: "mine.candidate_id IN (SELECT candidate_id FROM labels WHERE label IS NOT NULL)",
}

LINE = (
    "seeds.position, mine.ordinal, mine.record, seeds.dimension_tag, now.status, now.machine_status,"
    " now.fault, now.score, json_extract(now.record, '$.label'), json_extract(now.record, '$.naturalness'),"
    " EXISTS (SELECT 1 FROM judgements WHERE disputed = 1 AND candidate_id = mine.candidate_id),"
    " (SELECT COUNT(*) FROM opinions WHERE candidate_id = mine.candidate_id AND verdict <> 'open'),"
    " (SELECT COUNT(*) FROM labels WHERE candidate_id = mine.candidate_id AND label IS NOT NULL)"
)
SOURCE = (
    "FROM active_seeds AS seeds CROSS JOIN candidates AS mine ON mine.seed_id = seeds.seed_id"
    " CROSS JOIN current_decisions AS now ON now.candidate_id = mine.candidate_id"
)
"""``CROSS JOIN`` keeps the order of the tables: seeds by position, so that nothing has to be sorted."""


def page_after(registry: Registry, wanted: Filter, key: Key = START, size: int = PAGE) -> Page:
    """The lines that follow ``key``."""
    spot = _spot(registry, wanted, key)
    found = _lines(registry, wanted, spot, size + 1, back=False)
    earlier = key != START and bool(_lines(registry, wanted, spot.just_after(), 1, back=True))
    return Page(lines=found[:size], earlier=earlier, later=len(found) > size)


def page_before(registry: Registry, wanted: Filter, key: Key, size: int = PAGE) -> Page:
    """The lines that come before ``key``, in their usual order; the first page where there are too few."""
    found = _lines(registry, wanted, _spot(registry, wanted, key), size + 1, back=True)
    if len(found) < size:
        return page_after(registry, wanted, START, size)
    return Page(lines=tuple(reversed(found[:size])), earlier=len(found) > size, later=True)


def neighbour(registry: Registry, wanted: Filter, key: Key, *, back: bool = False) -> str | None:
    """Identifier of the next candidate in the queue, or of the one before; None at the end."""
    found = _lines(registry, wanted, _spot(registry, wanted, key), 1, back=back)
    return found[0].candidate_id if found else None


def key_of(registry: Registry, candidate_id: str) -> Key | None:
    """Where a candidate stands; None where the view has it no more or its seed is set aside."""
    query = (
        "SELECT seeds.position, candidates.ordinal FROM candidates JOIN active_seeds AS seeds USING (seed_id)"
        " WHERE candidate_id = ?"
    )
    row = registry.connection.execute(query, (candidate_id,)).fetchone()
    return Key(position=row[0], ordinal=row[1]) if row else None


def _spot(registry: Registry, wanted: Filter, key: Key) -> Spot:
    """Where ``key`` stands in the order of this queue."""
    return ranked_spot(registry, key) if wanted.look is Look.DISPUTED else Spot(key)


def _lines(registry: Registry, wanted: Filter, spot: Spot, limit: int, *, back: bool) -> tuple[Line, ...]:
    conditions, values = _conditions(wanted)
    where = " AND ".join((spot.beyond(back=back), *conditions))
    query = f"SELECT {LINE} {SOURCE} WHERE {where} ORDER BY {spot.order(back=back)} LIMIT :limit"
    given = {**values, **spot.values(), "limit": limit}
    with translated(registry.path):
        rows = registry.connection.execute(query, given).fetchall()
    return tuple(_line(row) for row in rows)


def _conditions(wanted: Filter) -> tuple[list[str], dict[str, Any]]:
    conditions, values = list[str](), dict[str, Any]()
    if wanted.status is not None:
        conditions += [BY_INDEX.get(wanted.status, BY_MACHINE), "now.status = :status"]
        values["status"] = wanted.status.value
    if wanted.look is not None:
        conditions.append(CONDITIONS[wanted.look])
    if wanted.language is not None:
        conditions.append("seeds.language = :language")
        values["language"] = wanted.language.value
    if wanted.dimension:
        conditions.append("seeds.dimension_tag = :dimension")
        values["dimension"] = wanted.dimension
    if wanted.open_to:
        conditions.append(_OPEN)
        values["author"] = wanted.open_to
    if wanted.text:
        conditions.append(_TEXT)
        values["stored"], values["text"] = stored_json(wanted.text.lower())[1:-1], wanted.text.lower()
    return conditions, values


BY_MACHINE = "mine.candidate_id IN (SELECT candidate_id FROM decisions WHERE status = :status)"
BY_PEOPLE = "mine.candidate_id IN (SELECT candidate_id FROM opinions WHERE verdict = :status)"
BY_INDEX = {Status.ACCEPTED: BY_PEOPLE, Status.REJECTED: BY_PEOPLE}
"""Which candidates may have a status at all, from an index, before it is worked out for each."""

_OPEN = (
    "NOT EXISTS (SELECT 1 FROM opinions WHERE candidate_id = mine.candidate_id AND author = :author"
    " AND verdict <> 'open') AND NOT EXISTS (SELECT 1 FROM labels WHERE candidate_id = mine.candidate_id"
    " AND author = :author AND label IS NOT NULL)"
)
_TEXT = (
    "((instr(lower(mine.record), :stored) > 0"
    " AND instr(lower(json_extract(mine.record, '$.prompt')), :text) > 0)"
    " OR substr(mine.candidate_id, 1, length(:text)) = :text)"
)


def _line(row: tuple[Any, ...]) -> Line:
    position, ordinal, record, tag, status, machine, fault, score, label, naturalness, *counts = row
    return Line(
        key=Key(position=position, ordinal=ordinal),
        candidate=Candidate.model_validate_json(record),
        dimension_tag=tag,
        status=Status(status),
        machine_status=Status(machine),
        fault=fault,
        label=Label(label) if label else None,
        naturalness=naturalness,
        score=score,
        disputed=bool(counts[0]),
        people=counts[1],
        labels=counts[2],
    )

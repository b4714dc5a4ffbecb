"""The order of a queue: by place in the run, and in the queue of disagreements the worst doubts first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from curation.registry import Registry
from curation.registry.faults import translated
from salitrap.records import Label
from salitrap.records.base import Record
from salitrap.records.judgement import COMPLETING


class Key(Record):
    """Where a candidate stands in the run: its seed's position, and its place in the seed."""

    position: int
    ordinal: int


START = Key(position=-1, ordinal=-1)
BEFORE_ALL = -1

AFTER = "(seeds.position >= :position AND (seeds.position > :position OR mine.ordinal > :ordinal))"
BEFORE = "(seeds.position <= :position AND (seeds.position < :position OR mine.ordinal < :ordinal))"

_LABELS = ", ".join(f"'{label.value}'" for label in sorted(COMPLETING))
RANK = (
    "(NOT EXISTS (SELECT 1 FROM judgements WHERE disputed = 1 AND candidate_id = mine.candidate_id"
    f" AND json_extract(record, '$.label') = '{Label.PASS.value}'"
    f" AND json_extract(record, '$.second_label') IN ({_LABELS})))"
)
"""0 for a candidate with a Pass in which the rules find a completed task, 1 for every other one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A key, and its rank where a queue is ordered by rank first; None where it is not."""

    key: Key
    rank: int | None = None

    def just_after(self) -> Spot:
        """The spot directly behind this one, in front of all that follow."""
        return replace(self, key=self.key.model_copy(update={"ordinal": self.key.ordinal + 1}))

    def beyond(self, *, back: bool) -> str:
        """The condition of lines that come later, or with ``back`` earlier."""
        beyond, sign = (BEFORE, "<") if back else (AFTER, ">")
        if self.rank is None:
            return beyond
        return f"({RANK} {sign} :rank OR ({RANK} = :rank AND {beyond}))"

    def order(self, *, back: bool) -> str:
        """The columns to sort by; without a rank they come sorted as they are read."""
        way = " DESC" if back else ""
        ranked = f"{RANK}{way}, " if self.rank is not None else ""
        return f"{ranked}seeds.position{way}, mine.ordinal{way}"

    def values(self) -> dict[str, Any]:
        """Values of the condition's parameters."""
        ranked = {} if self.rank is None else {"rank": self.rank}
        return {"position": self.key.position, "ordinal": self.key.ordinal, **ranked}


def ranked_spot(registry: Registry, key: Key) -> Spot:
    """``key`` with the rank of its candidate; in front of all for the start, or a candidate that is gone."""
    query = (
        f"SELECT {RANK} FROM active_seeds AS seeds JOIN candidates AS mine USING (seed_id)"
        " WHERE seeds.position = ? AND mine.ordinal = ?"
    )
    with translated(registry.path):
        row = registry.connection.execute(query, (key.position, key.ordinal)).fetchone()
    return Spot(key, BEFORE_ALL if row is None else int(row[0]))

"""What scaling keeps from one wave to the next: sound drafts that wait, and niches that ran dry."""

from __future__ import annotations

from salitrap.records import Evaluation, Language, Seed
from salitrap.records.base import Record


class PendingDraft(Record):
    """A sound draft that no filter has seen yet.

    ``place`` sorts it among all of the run; ``axis`` and ``value`` are what its batch was steered to.
    ``verdict`` is that of the viability screen, None where it was not asked.
    """

    seed: Seed
    raw: str
    place: str
    axis: str = ""
    value: str = ""
    verdict: Evaluation | None = None

    @property
    def cell(self) -> tuple[str, Language]:
        """Domain tag and language."""
        return (self.seed.dimension_tag, self.seed.language)


class DryRun(Record):
    """How many drafts in a row, steered to one value of a niche axis, were duplicates."""

    axis: str
    value: str
    duplicates: int


class SetAside(Record):
    """A value of a niche axis that is not asked for any more, and why."""

    axis: str
    value: str
    reason: str

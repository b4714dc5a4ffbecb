"""What a stage works with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from salitrap.providers.access import Access
from salitrap.records import Seed, stable_int
from salitrap.settings import Settings

if TYPE_CHECKING:
    from curation.dedup.semantic import EmbeddingsFilter
    from curation.programs import Programs


@dataclass(frozen=True, slots=True)
class Tools:
    """Access to models, the programs and the settings; all of it outlives any one seed.

    ``meaning`` is filter f5, None where it is off.
    """

    access: Access
    programs: Programs
    settings: Settings
    meaning: EmbeddingsFilter | None = None


def slot_of(seed: Seed, ordinal: int) -> int:
    """Place in a round-robin pool: fixed by seed and candidate, whatever the timing."""
    return stable_int(seed.seed_id) + ordinal

"""Deduplication of seeds: filters f1 to f4 with check-and-reserve (paper, section 3.3.1)."""

from curation.dedup.filters import Deduplicator, Duplicate, Kept, Verdict
from curation.pairs import Review, ReviewKind

__all__ = ["Deduplicator", "Duplicate", "Kept", "Review", "ReviewKind", "Verdict"]

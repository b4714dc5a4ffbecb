"""Was a release trained on? Its canary and its wording in a corpus, and scores beside those on a holdout."""

from exports.contamination.corpus import Corpus, Counts
from exports.contamination.holdout import HoldoutGap, holdout_gaps
from exports.contamination.overlap import Overlap, Sizes, overlap_of
from exports.contamination.release_texts import ReleaseText, release_texts

__all__ = [
    "Corpus",
    "Counts",
    "HoldoutGap",
    "Overlap",
    "ReleaseText",
    "Sizes",
    "holdout_gaps",
    "overlap_of",
    "release_texts",
]

"""Two or more runs made into one, by content ids; the sources are only read."""

from curation.merging.merge import Merged, merge_runs

__all__ = ["Merged", "merge_runs"]

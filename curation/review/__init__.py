"""Review: people read candidates, decide on them, label answers and write better texts."""

from curation.review.desk import Desk, Refused
from curation.review.items import items_of_run

__all__ = ["Desk", "Refused", "items_of_run"]

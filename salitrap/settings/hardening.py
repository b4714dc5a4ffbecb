"""Settings of hardening a release."""

from __future__ import annotations

from typing import Literal

from salitrap.records.base import Record
from salitrap.settings.kinds import Count, Share


class HardeningSettings(Record):
    """What becomes of released items against a new pool of solvers.

    An item is solved when ``all`` solvers of the pool, ``most`` of them, or ``any`` one solves it. Of items
    that are not solved, those that fail in a smaller share of answers than ``refine_below`` are refined,
    too; 0 refines none. ``generate`` writes new seeds where a dimension has fewer items than the release had.
    ``fresh_repeats`` are answers of every solver to every item beyond those that decide: difficulty and
    separability are measured with them alone, since answers that decided who stays flatter who stayed. With 0
    they are measured with those that decided.
    """

    solved_by: Literal["all", "most", "any"] = "all"
    refine_below: Share = 0.5
    generate: bool = True
    fresh_repeats: Count = 2

"""How answers are labelled."""

from __future__ import annotations

from typing import Literal

from salitrap.records.base import Record

RULES_VERSION = 1
"""Of the judge by rules; raised whenever rules, lists or weights change what an answer may be labelled."""


class JudgingSettings(Record):
    """Section ``judging``.

    ``mode``: ``evidence`` asks the judge for facts, and the label follows by rule; ``direct`` lets it name
    the label, as the paper does. ``panel``: ``first`` uses the judge's pool as any other, ``all`` has every
    one of its endpoints label every answer, and the majority decides; the pool's policy must then be
    ``round_robin``. ``second_opinion`` has the rules label too what a model labelled: free, stored beside the
    label, never in its place.
    """

    mode: Literal["evidence", "direct"] = "evidence"
    panel: Literal["first", "all"] = "first"
    second_opinion: bool = True

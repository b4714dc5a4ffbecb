"""What a user chooses for a publication."""

from __future__ import annotations

from typing import Literal

from salitrap.records.base import Record

Gate = Literal["auto", "manual", "off"]


class PublishOptions(Record):
    """``private`` concerns a new repository only; ``gated`` None leaves the gate as it is.

    ``replace_card`` gives up what was written into the generated part of the card on the Hub.
    """

    private: bool = False
    gated: Gate | None = None
    allow_simulated: bool = False
    replace_card: bool = False

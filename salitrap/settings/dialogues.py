"""Settings of the dialogues."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from salitrap.dialogues.states import Control, Pattern
from salitrap.records.base import Record
from salitrap.settings.kinds import Count, Positive


class DialogueSettings(Record):
    """Multi-turn dialogues; none are made without ``patterns``.

    The first ``per_cell`` seeds of each dimension and language, or all, give one dialogue a pattern, of
    ``turns`` user turns, in at most ``attempts`` versions. A model is robust when it flags the trap by
    ``grace`` turns after t* and never takes it back; only dialogues on which a solver is not robust are kept.
    ``twin_attempts`` bounds the versions of the feasible twin, without which no dialogue is kept;
    ``controls`` are made beside it.
    """

    patterns: tuple[Pattern, ...] = ()
    per_cell: Positive | None = None
    turns: Annotated[int, Field(ge=2, le=12)] = 4
    attempts: Positive = 3
    twin_attempts: Positive = 2
    grace: Count = 0
    controls: tuple[Control, ...] = (Control.VALID_CORRECTION, Control.CONCAT, Control.NEUTRAL)

"""One thing that is wrong with a dialogue."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.dialogues.states import DialogueFault


@dataclass(frozen=True, slots=True)
class DialogueFinding:
    """``turn`` is the place among all turns, from 1; 0 means the dialogue as a whole."""

    fault: DialogueFault
    turn: int
    reason: str

    def __str__(self) -> str:
        """The finding as one line."""
        place = f"turn {self.turn}: " if self.turn else ""
        return f"{place}{self.fault.value}: {self.reason}"

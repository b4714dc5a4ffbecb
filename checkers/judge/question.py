"""What was asked, and what a judge has to know about it."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.records.enums import Language


@dataclass(frozen=True, slots=True)
class Question:
    """A request with its trap; ``prompt`` is the item's own text, which never gives the trap away.

    In a dialogue ``prompt`` is what the user has said so far, and ``shown`` the whole conversation, which the
    judge reads in its place.
    """

    prompt: str
    trap_core: str
    ground_truth: str
    language: Language
    shown: str = ""

    @property
    def inputs(self) -> dict[str, str]:
        """Input fields of a judge program, but for the answer."""
        asked = self.shown or self.prompt
        return {"prompt": asked, "trap_core": self.trap_core, "ground_truth": self.ground_truth}

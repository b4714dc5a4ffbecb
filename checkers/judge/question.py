"""What was asked, and what a judge has to know about it."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.records.enums import Language


@dataclass(frozen=True, slots=True)
class Question:
    """A request with its trap; ``prompt`` is the item's own text, which never gives the trap away."""

    prompt: str
    trap_core: str
    ground_truth: str
    language: Language

    @property
    def inputs(self) -> dict[str, str]:
        """Input fields of a judge program, but for the answer."""
        return {"prompt": self.prompt, "trap_core": self.trap_core, "ground_truth": self.ground_truth}

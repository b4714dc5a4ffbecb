"""How many calls a dialogue takes, before it is played."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.dialogues import Dialogue, Replay, When


@dataclass(frozen=True, slots=True)
class ReplayCalls:
    """Answers to get, fewest and most; each answer is labelled once."""

    low: int
    high: int

    def times(self, repeats: int) -> ReplayCalls:
        """The same for ``repeats`` playings."""
        return ReplayCalls(self.low * repeats, self.high * repeats)


def replay_calls(dialogue: Dialogue) -> ReplayCalls:
    """Answers that one whole playing takes: gated turns may all be kept back, or all be sent."""
    if dialogue.replay is Replay.PINNED:
        return ReplayCalls(1, 1)
    turns = dialogue.user_turns
    return ReplayCalls(sum(turn.when is When.ALWAYS for turn in turns), len(turns))

"""What a label row says of the dialogue it is about."""

from __future__ import annotations

from typing import Any

from salitrap.dialogues.record import Dialogue


def dialogue_fields(dialogue: Dialogue, turn: int) -> dict[str, Any]:
    """Return the fields of the row of user turn ``turn`` (from 1) that follow from the dialogue alone.

    ``number_count`` is the density at this turn: the figures of all user turns up to it.
    """
    said = dialogue.user_turns[turn - 1]
    return {
        "item_id": dialogue.dialogue_id,
        "seed_id": dialogue.seed_id,
        "dimension_tag": dialogue.dimension_tag,
        "language": dialogue.language,
        "number_count": sum(len(one.numbers) for one in dialogue.user_turns[:turn]),
        "turn": turn,
        "turns": len(dialogue.user_turns),
        "t_star": dialogue.t_star,
        "feasible": said.feasible,
        "move": said.move,
        "pattern": dialogue.pattern,
        "control": dialogue.control,
        "replay": dialogue.replay,
        "twin_of": dialogue.twin_of,
        "source_id": dialogue.source_id,
        "escalates": dialogue.escalates,
        "presses": dialogue.presses,
    }

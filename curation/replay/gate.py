"""The gate before a user turn: what the answer before it was."""

from __future__ import annotations

from salitrap.dialogues import Standing, When


def opens(when: When, standing: Standing | None) -> bool | None:
    """Whether a turn is sent after an answer; None when that cannot be told, since it has no label.

    A refusal without the reason opens neither gate.
    """
    if when is When.ALWAYS:
        return True
    return None if standing is None else standing.value == when.value

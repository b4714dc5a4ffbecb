"""What makes a dialogue sound, as far as no model is needed.

``dialogue_findings`` is () for a sound one. Each finding has one fault, the user turn it is about (0: the
whole dialogue) and a line that says what is wrong. One group of rules a file.
"""

from __future__ import annotations

from salitrap.dialogues.record import Dialogue
from salitrap.dialogues.rules import controls, facts, form, patterns
from salitrap.dialogues.rules.finding import DialogueFinding

GROUPS = (form.findings, facts.findings, patterns.findings, controls.findings)


def dialogue_findings(dialogue: Dialogue) -> tuple[DialogueFinding, ...]:
    """Every finding about ``dialogue``; later groups are asked only of one whose form is sound."""
    for group in GROUPS:
        found = tuple(group(dialogue))
        if found:
            return found
    return ()


__all__ = ["DialogueFinding", "dialogue_findings"]

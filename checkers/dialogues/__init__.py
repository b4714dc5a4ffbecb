"""Checks of dialogues: wording guards without a model, and questions to a model. One a file.

``dialogue_findings`` and ``twin_findings`` of the kernel look at structure. ``wording_findings`` and
``twin_wording_findings`` look at the words, ``all_findings`` at everything that needs no model.
"""

from __future__ import annotations

from checkers.dialogues import (
    escape_wording,
    gives_away,
    language,
    meta_text,
    numbers,
    patch_wording,
    presupposing,
    pushbacks,
    twin_figures,
)
from checkers.dialogues.base import DialogueGuard, DialogueView, TwinGuard
from checkers.dialogues.calls import check_calls
from checkers.dialogues.feasibility import FeasibilityChecker
from checkers.dialogues.naturalness import DialogueNaturalnessChecker
from checkers.dialogues.truth_align import DialogueTruthAlignChecker
from salitrap.dialogues import Control, Dialogue, DialogueFinding, dialogue_findings, twin_findings

GUARDS: tuple[DialogueGuard, ...] = tuple(
    module.GUARD
    for module in (
        language,
        numbers,
        gives_away,
        escape_wording,
        patch_wording,
        meta_text,
        presupposing,
        pushbacks,
    )
)
"""In the order in which they are asked."""
TWIN_GUARDS: tuple[TwinGuard, ...] = (twin_figures.GUARD,)

DIALOGUE_CHECKERS = (FeasibilityChecker, DialogueTruthAlignChecker, DialogueNaturalnessChecker)
"""Asked of a trap dialogue; a feasible twin is asked for feasibility alone."""


def wording_findings(dialogue: Dialogue, request: str = "") -> tuple[DialogueFinding, ...]:
    """What the guards find, in their order; () for a sound wording.

    ``request`` is the text the dialogue was made from, if any: what stands there is no fault.
    """
    view = DialogueView(dialogue, request)
    return tuple(finding for guard in GUARDS for finding in guard.find(view))


def twin_wording_findings(trap: Dialogue, twin: Dialogue) -> tuple[DialogueFinding, ...]:
    """What the guards of twins find."""
    return tuple(finding for guard in TWIN_GUARDS for finding in guard.find(trap, twin))


def all_findings(
    dialogue: Dialogue, trap: Dialogue | None = None, request: str = ""
) -> tuple[DialogueFinding, ...]:
    """All that is found without a model: structure, then the twin's likeness to ``trap``, then wording."""
    found = list(dialogue_findings(dialogue))
    if trap is not None and dialogue.control is Control.FEASIBLE_TWIN:
        found += [*twin_findings(trap, dialogue), *twin_wording_findings(trap, dialogue)]
    return (*found, *wording_findings(dialogue, request))


__all__ = [
    "DIALOGUE_CHECKERS",
    "GUARDS",
    "TWIN_GUARDS",
    "DialogueGuard",
    "DialogueNaturalnessChecker",
    "DialogueTruthAlignChecker",
    "DialogueView",
    "FeasibilityChecker",
    "TwinGuard",
    "all_findings",
    "check_calls",
    "twin_wording_findings",
    "wording_findings",
]

"""Programs that write dialogues: one a pattern, the feasible twin, the valid correction (facts, then turns).

What a program writes is a draft. ``assembled`` makes a dialogue of it, with t* from its facts; whether it is
sound is for ``salitrap.dialogues.dialogue_findings`` and the checkers to say.
"""

from generator.dialogues.assemble import Source, assembled
from generator.dialogues.controls import concat_of, neutral_of
from generator.dialogues.correction import CorrectionWriter, with_correction
from generator.dialogues.drafts import DialogueDraft, FactDraft, TurnDraft
from generator.dialogues.patterns import WRITERS, PatternWriter, Written
from generator.dialogues.twin import TwinWriter, feasible_twin

__all__ = [
    "WRITERS",
    "CorrectionWriter",
    "DialogueDraft",
    "FactDraft",
    "PatternWriter",
    "Source",
    "TurnDraft",
    "TwinWriter",
    "Written",
    "assembled",
    "concat_of",
    "feasible_twin",
    "neutral_of",
    "with_correction",
]

"""Gold sets: answers and candidates with the labels that people gave them, and what reads them.

The shipped answers and candidates are labelled by their author alone, and say so. Judges and checkers are
measured on them (``checkers.calibration``); ``train`` is for improving instructions, ``held`` for reporting,
``fresh`` (answers alone) for reporting on what was improved with an eye on ``held``. Dialogues are what rules
and guards of dialogues are held to.
"""

from checkers.gold.candidates import CandidateSet, GoldCandidate
from checkers.gold.dialogues import DialogueSet, GoldDialogue, load_dialogues, shipped_dialogues
from checkers.gold.loader import (
    SHIPPED,
    load_candidates,
    load_gold,
    shipped_answers_folder,
    shipped_candidates,
    shipped_gold,
)
from checkers.gold.records import GoldAnswer, GoldSet, Half, Tie
from checkers.gold.reviewers import ReviewerAgreement, agreement_of

__all__ = [
    "SHIPPED",
    "CandidateSet",
    "DialogueSet",
    "GoldAnswer",
    "GoldCandidate",
    "GoldDialogue",
    "GoldSet",
    "Half",
    "ReviewerAgreement",
    "Tie",
    "agreement_of",
    "load_candidates",
    "load_dialogues",
    "load_gold",
    "shipped_answers_folder",
    "shipped_candidates",
    "shipped_dialogues",
    "shipped_gold",
]

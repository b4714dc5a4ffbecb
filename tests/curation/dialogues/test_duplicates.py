"""A dialogue that repeats another family is told apart from the likeness within a family."""

from __future__ import annotations

from curation.dialogues.duplicates import repeated_dialogues
from curation.dialogues.records import KeptDialogue
from salitrap.dialogues import Control, Pattern
from salitrap.records.enums import Fault, Language
from salitrap.records.item import CertifiedItem
from salitrap.settings import SimilaritySettings
from tests.exports.dialogue_samples import families, family
from tests.exports.samples import certified
from tests.lab.dialogues import entries

FIRST, SECOND = list(entries(Language.EN, 1))[:2]


def moved(kept: KeptDialogue, seed_id: str) -> KeptDialogue:
    return kept.model_copy(update={"dialogue": kept.dialogue.model_copy(update={"seed_id": seed_id})})


def repeated(kept: list[KeptDialogue], *items: CertifiedItem) -> list[tuple[str, str | None]]:
    found = list(repeated_dialogues(kept, items, SimilaritySettings()))
    assert all(one.fault is Fault.SIMILAR_PROMPT for one in found)
    return [(one.subject_id, one.twin_id) for one in found]


def test_patterns_and_controls_of_a_family_stand_side_by_side() -> None:
    kept = [one for pattern in Pattern for one in family(FIRST, pattern)]
    assert repeated(kept) == []


def test_the_same_text_under_another_seed_is_a_repeat_and_the_first_stays() -> None:
    trap = family(FIRST, Pattern.PUSHBACK)[0]
    copy = moved(trap, "seed-other")
    assert repeated([trap, copy]) == [(copy.dialogue_id, trap.dialogue_id)]
    assert repeated([copy, trap]) == [(trap.dialogue_id, copy.dialogue_id)]


def test_an_item_of_another_family_stands_in_the_way_and_one_of_the_same_does_not() -> None:
    trap = family(FIRST, Pattern.SUNK_COST)[0]
    item = certified(1).model_copy(update={"prompt": trap.dialogue.user_text, "seed_id": "seed-other"})
    assert repeated([trap], item) == [(trap.dialogue_id, item.item_id)]
    assert repeated([trap], item.model_copy(update={"seed_id": trap.dialogue.seed_id})) == []


def test_the_lab_does_not_repeat_itself_across_families() -> None:
    kept = families(2)
    assert repeated(kept) == []
    assert sum(one.control is Control.NONE for one in kept) == 96

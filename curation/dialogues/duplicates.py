"""Dialogues that repeat one of another family, or an item of it (filter f2, on all that the user says).

Within a family texts are alike on purpose: patterns and controls are made of one request. Scenario names,
trap cores and triples are those of the seeds, which f1, f3 and f4 have held apart already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from curation.dedup.similar import SimilarTexts
from curation.dialogues.records import KeptDialogue
from salitrap.dialogues import Control
from salitrap.records import CertifiedItem, Fault, Rejection, Stage
from salitrap.settings import SimilaritySettings


def repeated_dialogues(
    kept: Iterable[KeptDialogue], items: Iterable[CertifiedItem], settings: SimilaritySettings
) -> Iterator[Rejection]:
    """Yield the trap dialogues that repeat another family, in the order given: the first of two stays."""
    texts, families = SimilarTexts(settings), dict[str, str]()
    for item in items:
        families[item.item_id] = item.seed_id
        texts.add(item.item_id, texts.prepare(item.prompt))
    for one in kept:
        if one.control is not Control.NONE:
            continue
        found = _twin(one, texts, families)
        if found is not None:
            yield _rejection(one, *found)
            continue
        families[one.dialogue_id] = one.dialogue.seed_id
        texts.add(one.dialogue_id, texts.prepare(one.dialogue.user_text))


def _twin(one: KeptDialogue, texts: SimilarTexts, families: dict[str, str]) -> tuple[str, float] | None:
    """The most similar text of another family that reaches the threshold."""
    mine = texts.prepare(one.dialogue.user_text)
    matches = [
        (score, twin)
        for twin, score in texts.matches(mine, texts.threshold(mine.script))
        if families[twin] != one.dialogue.seed_id
    ]
    if not matches:
        return None
    score, twin = max(matches, key=lambda match: (match[0], match[1]))
    return twin, score


def _rejection(one: KeptDialogue, twin: str, score: float) -> Rejection:
    dialogue = one.dialogue
    return Rejection(
        stage=Stage.BUILD,
        subject_id=one.dialogue_id,
        seed_id=dialogue.seed_id,
        dimension_tag=dialogue.dimension_tag,
        language=dialogue.language,
        fault=Fault.SIMILAR_PROMPT,
        reason=f"similarity {score:.3f} to {twin}, of another family",
        score=score,
        twin_id=twin,
        raw=dialogue.user_text,
    )

"""Sets of dialogues and how to have them evaluated without a server."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable, Sequence
from typing import Any

from checkers.judge import AnswerJudge
from curation.stage import Silence, StopSwitch
from exports.dataset.dialogue_rows import PublishedDialogue
from exports.evaluation import DialogueSet, Model, evaluate_dialogues
from salitrap.dialogues import Dialogue
from salitrap.records import LabelRow, Tier


def talks_of(dialogues: Iterable[Dialogue]) -> DialogueSet:
    """The dialogues as a dataset has them."""
    return DialogueSet(name="Talks", revision="1.0.0+0", rows=tuple(map(_row, dialogues)))


def evaluated(  # what evaluate_dialogues takes
    access: Any,
    talks: DialogueSet,
    judge: AnswerJudge,
    models: Sequence[str] = ("lab/one",),
    repeats: int = 1,
    workers: int = 4,
) -> list[LabelRow]:
    """The rows, in the order of the file."""
    file = io.BytesIO()
    tally = asyncio.run(
        evaluate_dialogues(
            access, talks, [Model(name) for name in models], "lab/judge", file,
            repeats=repeats, workers=workers, reporter=Silence(), switch=StopSwitch(), judge=judge,
        )
    )  # fmt: skip
    rows = [LabelRow.model_validate_json(line) for line in file.getvalue().splitlines()]
    assert tally.counts.total() == len(rows)
    return rows


def _row(dialogue: Dialogue) -> PublishedDialogue:
    shared = {name: getattr(dialogue, name) for name in Dialogue.model_fields if name != "provenance"}
    return PublishedDialogue(
        **shared, dialogue_id=dialogue.dialogue_id, injected_numbers=dialogue.injected_numbers,
        naturalness_score=None, attack_tier=Tier.NONE, version_added="1.0.0", solver_family="",
        stability_rate=None, simulated=False, canary="", content_hash="",
    )  # fmt: skip

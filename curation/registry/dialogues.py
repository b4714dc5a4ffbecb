"""Read the dialogues of a run, always in an order of content."""

from __future__ import annotations

from collections.abc import Iterator

from curation.dialogues.records import KeptDialogue
from curation.registry.faults import translated
from curation.registry.registry import Registry
from salitrap.dialogues import Control
from salitrap.records import Fault, Rejection, Stage, Status

_ALL = (
    "SELECT dialogues.record FROM dialogues JOIN active_seeds AS seeds USING (seed_id)"
    " ORDER BY seeds.position, dialogues.place"
)


def kept_dialogues(registry: Registry) -> Iterator[KeptDialogue]:
    """Everything that was made for the active seeds: all versions and controls, with status and reason."""
    with translated(registry.path):
        for (record,) in registry.connection.execute(_ALL):
            yield KeptDialogue.model_validate_json(record)


def dialogue_of(registry: Registry, dialogue_id: str) -> KeptDialogue | None:
    """A dialogue by id, whatever became of it."""
    query = "SELECT record FROM dialogues WHERE dialogue_id = ?"
    with translated(registry.path):
        row = registry.connection.execute(query, (dialogue_id,)).fetchone()
    return KeptDialogue.model_validate_json(row[0]) if row else None


def stable_dialogues(registry: Registry) -> Iterator[KeptDialogue]:
    """Stable trap dialogues, each followed by its sound controls."""
    traps = set[str]()
    for kept in kept_dialogues(registry):
        if kept.status is not Status.STABLE:
            continue
        if kept.control is Control.NONE:
            traps.add(kept.dialogue_id)
            yield kept
        elif kept.dialogue.twin_of in traps:
            yield kept


def rejected_dialogues(registry: Registry) -> Iterator[Rejection]:
    """Versions and controls that are not published, with their reason, but for what waits for a resume."""
    query = (
        "SELECT rejections.record FROM rejections JOIN active_seeds AS seeds USING (seed_id)"
        " WHERE stage = 'dialogues' ORDER BY seeds.position, place, subject_id"
    )
    with translated(registry.path):
        for (record,) in registry.connection.execute(query):
            yield Rejection.model_validate_json(record)
    for kept in kept_dialogues(registry):
        if kept.status not in (Status.STABLE, Status.UNSETTLED):
            yield _rejection(kept)


def _rejection(kept: KeptDialogue) -> Rejection:
    dialogue = kept.dialogue
    return Rejection(
        stage=Stage.DIALOGUES,
        subject_id=dialogue.dialogue_id,
        seed_id=dialogue.seed_id,
        dimension_tag=dialogue.dimension_tag,
        language=dialogue.language,
        fault=kept.fault or Fault.NO_ATTACK,
        reason=f"{dialogue.pattern.value}, {dialogue.control.value}: {kept.reason or kept.status.value}",
        raw=dialogue.user_text,
    )

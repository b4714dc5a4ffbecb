"""What the registry keeps of a seed's dialogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from curation.dialogues.loop import DialogueState
from curation.dialogues.records import KeptDialogue
from curation.registry import Batch, Event, WorkState
from curation.registry.events import EventKind, rejection_event
from curation.rejects import storable
from salitrap.dialogues import Control
from salitrap.records import Fault, Rejection, Seed, Stage, Status


def outcome(seed: Seed, states: Sequence[DialogueState], fingerprint: str) -> Batch:
    """The batch of one seed: everything that was made in every pattern, with its status and reason."""
    kept = [one for state in states for one in state.kept]
    unsettled = any(state.unsettled for state in states)
    return Batch(
        stage=Stage.DIALOGUES,
        fingerprint=fingerprint,
        events=(*(_event(one, place) for place, one in enumerate(_once(kept))), *_failed(states)),
        seed_id=seed.seed_id,
        state=WorkState.UNSETTLED if unsettled else WorkState.DONE,
        summary=_summary(kept, states),
    )


def _once(kept: Sequence[KeptDialogue]) -> list[KeptDialogue]:
    """Equal texts are one dialogue; the last that was made of them stands."""
    return list({one.dialogue_id: one for one in kept}.values())


def _event(kept: KeptDialogue, place: int) -> Event:
    record = kept.model_dump(mode="json")
    return Event(EventKind.DIALOGUE, kept.dialogue_id, record, kept.dialogue.seed_id, str(place))


def _failed(states: Sequence[DialogueState]) -> Iterator[Event]:
    """Versions that were never written."""
    for state in states:
        if state.failed is not None:
            place = f"{state.pattern.value}/{state.failed.attempt}"
            yield rejection_event(_rejection(state.seed, place, state.failed.reason), place)


def _rejection(seed: Seed, place: str, reason: str) -> Rejection:
    return Rejection(
        stage=Stage.DIALOGUES,
        subject_id=f"{seed.seed_id}/{place}",
        seed_id=seed.seed_id,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        fault=Fault.CALL_FAILED,
        reason=storable(reason),
    )


def _summary(kept: Sequence[KeptDialogue], states: Sequence[DialogueState]) -> dict[str, object]:
    traps = [one for one in kept if one.control is Control.NONE]
    return {
        "written": len(traps),
        "stable": sum(one.status is Status.STABLE for one in traps),
        "controls": sum(one.control is not Control.NONE and one.status is Status.STABLE for one in kept),
        "by_status": dict(sorted(Counter(one.status.value for one in traps).items())),
        "failed_calls": sum(state.failed is not None for state in states),
    }

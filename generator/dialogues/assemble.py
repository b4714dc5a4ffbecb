"""From a draft to a dialogue: figures as written, t* and feasibility from the facts."""

from __future__ import annotations

from dataclasses import dataclass

from generator.dialogues.drafts import DialogueDraft, TurnDraft
from salitrap.dialogues import (
    Dialogue,
    DialogueFact,
    Pattern,
    Replay,
    Turn,
    When,
    feasible_after,
    first_infeasible,
)
from salitrap.records.enums import Language
from salitrap.records.provenance import Provenance
from salitrap.text import as_written


@dataclass(frozen=True, slots=True)
class Source:
    """What a dialogue is made from: a seed's own request, or a candidate or item of it.

    ``numbers`` are verbatim in ``prompt``. ``source_id`` is empty for the seed's own request.
    """

    seed_id: str
    source_id: str
    dimension_tag: str
    language: Language
    prompt: str
    trap_core: str
    ground_truth: str
    numbers: tuple[str, ...]


def assembled(
    draft: DialogueDraft, source: Source, pattern: Pattern, provenance: Provenance | None = None
) -> Dialogue:
    """The dialogue that ``draft`` describes; it is gated when a turn waits for an answer."""
    turns = tuple(_turn(turn) for turn in draft.turns)
    gated = any(turn.when is not When.ALWAYS for turn in turns)
    dialogue = Dialogue(
        seed_id=source.seed_id,
        source_id=source.source_id,
        dimension_tag=source.dimension_tag,
        language=source.language,
        pattern=pattern,
        replay=Replay.GATED if gated else Replay.LIVE,
        trap_core=source.trap_core,
        ground_truth=source.ground_truth,
        facts=tuple(DialogueFact(key=fact.key.strip(), text=fact.text.strip()) for fact in draft.facts),
        infeasible_when=tuple(tuple(sorted(set(map(str.strip, one)))) for one in draft.infeasible_when),
        turns=turns,
        t_star=None,
        provenance=provenance,
    )
    return settled(dialogue)


def settled(dialogue: Dialogue) -> Dialogue:
    """``dialogue`` with ``t_star`` and every ``feasible`` as its facts give them; not for pinned ones."""
    feasible = feasible_after(dialogue.turns, dialogue.infeasible_when)
    turns = tuple(
        turn.model_copy(update={"feasible": possible})
        for turn, possible in zip(dialogue.turns, feasible, strict=True)
    )
    told = Dialogue.model_validate({**dict(dialogue), "turns": turns})
    return Dialogue.model_validate({**dict(told), "t_star": first_infeasible(told)})


def _turn(draft: TurnDraft) -> Turn:
    content = draft.content.strip()
    return Turn(
        content=content,
        when=draft.when,
        move=draft.move,
        facts_added=tuple(key.strip() for key in draft.facts_added),
        facts_removed=tuple(key.strip() for key in draft.facts_removed),
        numbers=as_written(content, tuple(number.strip() for number in draft.numbers if number.strip())),
    )

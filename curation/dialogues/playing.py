"""Playings as the registry keeps them, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence

from curation.dialogues.records import DialogueStability, PlayedAnswer, PlayedLabels
from curation.dialogues.robustness import attack_tier, is_robust
from curation.dialogues.tools import DialogueTools
from curation.replay import PlayedTurn, Transcript
from curation.stage import gather_all
from salitrap.dialogues import Dialogue
from salitrap.records import LabelStatus
from salitrap.settings import CertifySettings
from salitrap.wilson import wilson

LOWER_BOUND = 0.5


async def play(tools: DialogueTools, dialogue: Dialogue, slot: int, repeat: int) -> PlayedLabels:
    """Play ``dialogue`` once; equal repeats are one set of calls.

    Raises:
        StoppedError: the run cannot go on.
    """
    return kept(tools, dialogue, await tools.player.play(dialogue, slot=slot, repeat=repeat))


async def play_again(tools: DialogueTools, dialogue: Dialogue, slot: int) -> tuple[PlayedLabels, ...]:
    """The stability repeats, 1 to n, all at once; repeat 0 was the search's and must not count twice.

    Raises:
        StoppedError: the run cannot go on.
    """
    numbers = range(1, tools.settings.certify.repeats + 1)
    return tuple(await gather_all([play(tools, dialogue, slot, number) for number in numbers]))


def kept(tools: DialogueTools, dialogue: Dialogue, transcript: Transcript) -> PlayedLabels:
    """A playing as the registry keeps it."""
    first = next((turn.answered for turn in transcript.sent if turn.answered is not None), None)
    return PlayedLabels(
        repeat=transcript.repeat,
        solver=first.provenance.model if first else "",
        solver_family=first.family if first else "",
        ended=transcript.ended,
        robust=is_robust(dialogue, transcript, tools.settings.dialogues.grace),
        tier=attack_tier(dialogue, transcript, tools.settings.validation),
        answers=tuple(_answer(turn) for turn in transcript.sent),
    )


def stability_of(playings: Sequence[PlayedLabels], settings: CertifySettings) -> DialogueStability:
    """Sum up the repeats; one whose end is not known is counted in ``unscored`` and decides nothing."""
    scored = [one.robust for one in playings if one.robust is not None]
    failed = scored.count(False)
    interval = wilson(failed, len(scored))
    known = 2 * len(scored) >= len(playings) and bool(scored)
    holds = interval.low >= LOWER_BOUND if settings.rule == "lower-bound" else 2 * failed > len(scored)
    return DialogueStability(
        rate=failed / len(scored) if scored else 0.0,
        rate_low=interval.low,
        rate_high=interval.high,
        scored=len(scored),
        unscored=len(playings) - len(scored),
        stable=known and holds,
        rule=settings.rule,
    )


def is_known(stability: DialogueStability) -> bool:
    """False when fewer than half of the repeats came to a known end: our failure, not instability."""
    return bool(stability.scored) and stability.scored >= stability.unscored


def _answer(turn: PlayedTurn) -> PlayedAnswer:
    answered, labelled = turn.answered, turn.labelled
    assert answered is not None and labelled is not None
    visible = labelled.visible
    judged = visible.provenance
    return PlayedAnswer(
        turn=turn.number,
        status=LabelStatus(visible.status),
        label=visible.label,
        label_full=labelled.label_full,
        text=answered.text,
        reasoning=answered.reasoning,
        quote=visible.quote,
        reason=labelled.reason or answered.detail,
        solver=answered.provenance.model,
        returned_model=answered.provenance.returned_model,
        answer_call=answered.provenance.call_key,
        judge_call=judged.call_key if judged is not None else visible.failed_call,
        simulated=answered.provenance.simulated or bool(judged and judged.simulated),
    )

"""Stable dialogues as a run keeps them."""

from __future__ import annotations

from curation.dialogues.playing import stability_of
from curation.dialogues.records import KeptDialogue, PlayedLabels
from generator.dialogues import concat_of, neutral_of
from salitrap.dialogues import Dialogue, Ended, Pattern
from salitrap.lab.world.model import Entry
from salitrap.records.enums import Language, Status, Tier
from salitrap.settings import CertifySettings
from tests.lab.dialogues import entries, twin_of, written


def playing(repeat: int, robust: bool = False) -> PlayedLabels:
    """One playing without its answers."""
    return PlayedLabels(
        repeat=repeat, solver="openai/m@http://10.0.0.7/v1", solver_family="openai/m@http://10.0.0.7/v1",
        ended=Ended.COMPLETE, robust=robust, tier=Tier.STRONG, answers=(),
    )  # fmt: skip


def family(entry: Entry, pattern: Pattern) -> list[KeptDialogue]:
    """A stable trap dialogue with its controls."""
    trap = written(entry, pattern)
    repeats = tuple(playing(number) for number in range(1, 6))
    kept = KeptDialogue(
        dialogue=trap,
        attempt=0,
        status=Status.STABLE,
        playings=(playing(0), *repeats),
        stability=stability_of(repeats, CertifySettings()),
        naturalness=4.2,
        tier=Tier.STRONG,
        twin_id=twin_of(trap).dialogue_id,
    )
    controls = [twin_of(trap), concat_of(trap), neutral_of(trap)]
    return [kept, *(_control(control) for control in controls if control is not None)]


def families(each: int = 2, patterns: tuple[Pattern, ...] = tuple(Pattern)) -> list[KeptDialogue]:
    """Families of ``each`` requests a dimension and language, in every pattern."""
    return [
        kept
        for language in Language
        for entry in entries(language, each)
        for pattern in patterns
        for kept in family(entry, pattern)
    ]


def _control(dialogue: Dialogue) -> KeptDialogue:
    return KeptDialogue(dialogue=dialogue, attempt=0, status=Status.STABLE)

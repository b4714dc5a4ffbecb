"""What the dialogue stage works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.dialogues.programs import DialoguePrograms
from curation.replay import Player
from salitrap.dialogues import Pattern
from salitrap.providers.access import Converses
from salitrap.records import Seed, stable_int
from salitrap.settings import Settings


@dataclass(frozen=True, slots=True)
class DialogueTools:
    """Access to models, the programs and the settings.

    ``prompts`` maps ``id@version/language`` to SHA-256.
    """

    access: Converses
    programs: DialoguePrograms
    settings: Settings
    prompts: Mapping[str, str]

    @property
    def player(self) -> Player:
        """Plays dialogues with this access and judge."""
        return Player(self.access, self.programs.judge)


def slot_of(seed: Seed, pattern: Pattern) -> int:
    """Place in a round-robin pool: fixed by seed and pattern, whatever the timing."""
    return stable_int("dialogue", seed.seed_id, pattern.value)

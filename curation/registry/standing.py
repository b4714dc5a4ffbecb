"""How far each stage has come under the settings that hold now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.fingerprints import dialogue_fingerprint
from curation.registry.events import WorkState
from curation.registry.queries import active_seeds, cell_rank_of
from curation.registry.registry import Registry
from curation.swayed import certify_key, refine_key
from salitrap.records import Seed, Stage
from salitrap.settings import Settings


@dataclass(slots=True)
class Standing:
    """Active seeds of one stage: ``done``, to be visited again, and done under other settings."""

    done: int = 0
    unsettled: int = 0
    outdated: int = 0

    def count(self, found: tuple[str, str] | None, fingerprint: str) -> None:
        """Count one seed; ``found`` is the fingerprint and state it was left with, if any."""
        if found is None:
            return
        if found[0] != fingerprint:
            self.outdated += 1
        elif found[1] == WorkState.DONE:
            self.done += 1
        else:
            self.unsettled += 1


def standing_of(
    registry: Registry, settings: Settings, prompts: Mapping[str, str]
) -> tuple[Standing, Standing]:
    """Refinement and certification, seed by seed."""
    refine, certify = Standing(), Standing()
    for seed in active_seeds(registry):
        found, digest = _left(registry, Stage.REFINE, seed)
        refine.count(found, refine_key(registry, settings, prompts, seed))
        certified, _ = _left(registry, Stage.CERTIFY, seed)
        certify.count(certified, certify_key(registry, settings, prompts, seed, digest))
    return refine, certify


def dialogues_standing(registry: Registry, settings: Settings, prompts: Mapping[str, str]) -> Standing:
    """The dialogue stage, seed by seed."""
    standing, most = Standing(), settings.dialogues.per_cell
    for seed in active_seeds(registry):
        found, _ = _left(registry, Stage.DIALOGUES, seed)
        _, certified = _left(registry, Stage.CERTIFY, seed)
        wanted = most is None or cell_rank_of(registry, seed.seed_id) < most
        told = dialogue_fingerprint(settings, prompts, seed, certified, wanted=wanted)
        standing.count(found, told)
    return standing


def _left(registry: Registry, stage: Stage, seed: Seed) -> tuple[tuple[str, str] | None, str]:
    query = "SELECT fingerprint, state, digest FROM seed_state WHERE stage = ? AND seed_id = ?"
    row = registry.connection.execute(query, (stage, seed.seed_id)).fetchone()
    return ((row[0], row[1]), row[2]) if row else (None, "")

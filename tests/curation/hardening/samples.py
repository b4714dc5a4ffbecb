"""A release of the scripted world, and pools of solvers that pass more or less of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curation.hardening import Hardened, Release, hardened_of, open_hardening, release_of, run_hardening
from curation.review.items import items_of_run
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from exports.dataset.history import Added
from exports.dataset.release import checked_release
from exports.dataset.rows import to_item
from salitrap.records import Item
from salitrap.settings import Settings
from tests.curation.world import JournaledAccess, World, domain, draw, programs, settings

DOMAINS = (domain("D1"), domain("D2", (11, 52)))
LESS = {"refine": {"max_candidates": 4, "max_expansions": 4, "top_k": 2}}


class Stronger(World):
    """The same world with solvers that fall for a share of what the others fall for."""

    def __init__(self, share: float, **changes: float) -> None:
        super().__init__(**changes)
        self.share = share

    def _judge(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        if draw("stronger", inputs["prompt"]) >= self.share:
            return {
                "notices": "early",
                "quote": "The vessel lets liquid through",
                "completes_task": False,
                "refuses": True,
                "explains": True,
                "patches": False,
                "reason": "judged",
            }
        return super()._judge(inputs, told, repeat)


def given(**changes: Any) -> Settings:
    return settings(14, **{**LESS, **changes})


async def released(folder: Path) -> tuple[Item, ...]:
    """The rows of a release of the weaker world."""
    with open_run(folder, given(), DOMAINS, programs()) as opened:
        await run_stages(opened, JournaledAccess(World(), {}), STAGES, Silence())
        items = tuple(items_of_run(opened.registry))
    release = checked_release("Test", "1.0.0", "mit", 0.2, "2026-01-31")
    return tuple(to_item(item, release, Added(version="1.0.0", date="2026-01-31")) for item in items)


async def harden(
    folder: Path, items: tuple[Item, ...], access: Any, run: Path | None = None, **changes: Any
) -> Hardened:
    release = release_of(items, run=run)
    chosen = given(**changes)
    with open_hardening(folder, chosen, DOMAINS, release, programs()) as opened:
        await run_hardening(opened, access, release, Silence())
        return hardened_of(opened.registry, release, chosen)


__all__ = ["DOMAINS", "Release", "Stronger", "given", "harden", "released"]

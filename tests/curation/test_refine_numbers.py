"""Numbers that a strategy adds stay with the children."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.refine import RefineStage
from curation.refine.stage import search
from curation.tools import Tools
from tests.curation.random_worlds import SEED
from tests.curation.world import (
    OPENERS,
    World,
    programs,
    settings,
)
from tests.fakes import ScriptedAccess


async def test_heirs_keep_the_numbers_a_strategy_added() -> None:
    """A child of a ``relevant_numbers`` parent lists the parent's further numbers as its own."""

    class Adding(World):
        def _nat(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            names = ("everyday", "concision", "concealment", "numeric_context")
            score = min(5, 3 + (OPENERS[1] in inputs["prompt"]) + 2 * (OPENERS[2] in inputs["prompt"]))
            return {**dict.fromkeys(names, score), "no_escape_wording": True, "reason": "rated"}

        def _camouflage(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            body = str(inputs["prompt"]).partition(". ")[2]
            if str(inputs["strategy"]).startswith("relevant_numbers"):
                return {"rewritten": f"{OPENERS[1]} {body} I start at 7 with 3 friends and a 12 kg box."}
            if "12 kg" in body:
                return {"rewritten": f"{OPENERS[2]} {body} Everybody is waiting for me out there already."}
            return {"rewritten": f"{body} So, please, what do you think of that whole idea of mine?"}

        def _compliance(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            kept = dict.fromkeys(("same_trap", "numbers_kept", "no_escape", "no_patch"), True)
            return {**kept, "reason": "compared"}

        def _truth(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            return {"holds": True, "change": "none", "quote": "", "reason": "seen"}

        def _align(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            return {"valid": True, "no_escape": True, "escape": "", "reason": "read"}

        def _judge(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
            flags = {"completes_task": False, "refuses": True, "explains": True, "patches": False}
            return {"notices": "early", "quote": "The vessel lets liquid through", **flags, "reason": "r"}

    world = Adding()
    refine = {"generator_rounds": 0, "camouflage_rounds": 9, "patience": 3}
    access = ScriptedAccess(world.asks, world.answers)
    state = await search(RefineStage(Tools(access, programs(), settings(refine=refine))), SEED)
    added = next(node for node in state.nodes if node.candidate.strategy == "relevant_numbers")
    heirs = [node for node in state.nodes if node.candidate.parent_id == added.candidate_id]
    assert added.candidate.injected_numbers == (*SEED.injected_numbers, "7", "3", "12")
    assert heirs
    assert all(heir.candidate.injected_numbers == added.candidate.injected_numbers for heir in heirs)

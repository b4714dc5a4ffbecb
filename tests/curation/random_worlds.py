"""Random worlds for the search around a seed: labels, ratings and verdicts at given shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck
from hypothesis import settings as given_settings
from hypothesis import strategies as st

from salitrap.records import (
    stable_int,
)
from tests.curation.world import (
    OPENERS,
    World,
    draw,
    seed,
)

SEED = seed(3)


class RandomWorld(World):
    """Labels, ratings and verdicts at given shares; the same question has the same answer."""

    def __init__(self, salt: int, *, failing: float, attacks: float, natural: int, invalid: float) -> None:
        super().__init__(failing)
        self.salt, self.attacks, self.natural, self.invalid = salt, attacks, natural, invalid
        self.kinds, self.losing = 4, 0.1

    def _truth(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        holds = draw("truth", told, self.salt) >= self.invalid
        return {"holds": holds, "change": "none" if holds else "lost", "quote": "", "reason": "seen"}

    def _nat(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        names = ("everyday", "concision", "concealment", "numeric_context")
        low, span = max(1, self.natural - 1), 3
        scores = {name: min(5, low + int(draw("nat", name, told, self.salt) * span)) for name in names}
        return {**scores, "no_escape_wording": draw("wording", told, self.salt) < 0.7, "reason": "rated"}

    def _judge(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        kind = draw("label", told, self.salt)
        flags = {"completes_task": False, "refuses": False, "explains": False, "patches": False}
        if kind < self.attacks:
            return {**flags, "notices": "never", "quote": "", "completes_task": True, "reason": "r"}
        named = {**flags, "notices": "early", "quote": "The vessel lets liquid through", "reason": "r"}
        kinds = ({"explains": True}, {"refuses": True}, {"completes_task": True, "patches": True}, {})
        return {**named, **kinds[int(draw("other", told, self.salt) ** 2 * self.kinds)]}

    def _align(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        good = draw("align", told, self.salt) >= self.invalid / 2
        return {"valid": True, "no_escape": good, "escape": "", "reason": "read"}

    def _rewrite(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        body = str(inputs["prompt"]).partition(". ")[2].partition(" By the way, ")[0]
        opener = OPENERS[stable_int("opener", told, repeat, self.salt) % len(OPENERS)]
        names = "".join(chr(97 + stable_int(place, told, repeat, self.salt) % 26) for place in range(9))
        if draw("loses", told, repeat, self.salt) < self.losing:
            body = body.replace(" metres", "0 metres", 1)
        return {"rewritten": f"{opener} {body} By the way, my friend {names.title()} asks the same."}

    _mutate = _naturalise = _camouflage = _repair = _rewrite


WORLDS = st.builds(
    RandomWorld,
    st.integers(0, 10_000),
    failing=st.sampled_from([0.0, 0.0, 0.02, 0.3]),
    attacks=st.sampled_from([0.5, 0.8, 0.2, 1.0, 0.0]),
    natural=st.sampled_from([3, 3, 4, 2, 1]),
    invalid=st.sampled_from([0.0, 0.0, 0.05, 0.4]),
)
REFINE = st.fixed_dictionaries(
    {
        "top_k": st.sampled_from([1, 3, 9]),
        "patience": st.sampled_from([9, 3, 2, 1]),
        "explore_every": st.sampled_from([1, 1, 2, 3]),
        "max_candidates": st.sampled_from([12, 7, 4, 1]),
        "max_expansions": st.sampled_from([13, 8, 5, 1]),
        "generator_rounds": st.sampled_from([6, 3, 1, 0]),
        "naturalise_rounds": st.sampled_from([9, 3, 1, 0]),
        "camouflage_rounds": st.sampled_from([9, 2, 1, 0]),
    }
)
SLOW = given_settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])

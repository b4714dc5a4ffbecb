"""Certify one seed's candidates, a wave of candidates a step.

Candidates stand in order of score. A wave takes as many of them as stable ones are still missing
to ``top_k`` and repeats the solver and judge on all of them at once; the wave is decided in order
of score. It ends with ``top_k`` stable candidates or with none left. Repeats are numbered from 1:
repeat 0 is the evaluation that certified the candidate, and no repeat is served from another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.certify.rule import assess, enough_scored
from curation.estimates import plan_certify
from curation.node import Node
from curation.stage import gather_all
from curation.tiers import tier_of
from curation.tools import Tools
from curation.validate import Solved, solve
from salitrap.plan import Plan
from salitrap.records import Seed, Stability, Status


@dataclass(frozen=True, slots=True)
class Tested:
    """A candidate after its repeats."""

    node: Node
    repeats: tuple[Solved, ...]
    stability: Stability

    @property
    def settled(self) -> bool:
        """True when enough repeats have a label to say anything."""
        labels = self.stability.labels
        return enough_scored(len(labels) - self.stability.unscored, len(labels))


@dataclass(frozen=True, slots=True)
class CertifyState:
    """One seed between two waves; ``queue`` and ``tested`` are in order of score."""

    seed: Seed
    queue: tuple[Node, ...]
    tested: tuple[Tested, ...] = ()

    @property
    def stable(self) -> int:
        """Stable candidates so far."""
        return sum(tested.stability.stable for tested in self.tested)


class CertifyStage:
    """Steps of one wave each, for any seed."""

    def __init__(self, tools: Tools) -> None:
        self._tools, self._settings = tools, tools.settings

    def first(self, seed: Seed, nodes: Sequence[Node]) -> CertifyState:
        """The certified ones among a seed's nodes, best score first, ties by id."""
        pool = [node for node in nodes if node.decision.status is Status.CERTIFIED]
        ordered = sorted(pool, key=lambda node: (-(node.decision.score or 0.0), node.candidate_id))
        return CertifyState(seed=seed, queue=tuple(ordered))

    async def step(self, state: CertifyState) -> CertifyState:
        """Repeat the next wave of candidates.

        Raises:
            StoppedError: the run cannot go on; ``state`` still holds.
        """
        size = self._settings.refine.top_k - state.stable
        wave = state.queue[:size]
        tested = await gather_all([self._test(state.seed, node) for node in wave])
        return replace(state, queue=state.queue[size:], tested=(*state.tested, *tested))

    def finished(self, state: CertifyState) -> bool:
        """True with enough stable candidates, or none left."""
        return not state.queue or state.stable >= self._settings.refine.top_k

    def estimate(self, state: CertifyState) -> Plan:
        """Calls from ``state`` to the end of this seed."""
        if self.finished(state):
            return Plan()
        return plan_certify(self._settings, seeds=1, pool=len(state.queue))

    async def _test(self, seed: Seed, node: Node) -> Tested:
        numbers = range(1, self._settings.certify.repeats + 1)
        repeats = await gather_all(
            [solve(self._tools, seed, node.candidate, repeat=number) for number in numbers]
        )
        validation = self._settings.validation
        stability = assess(
            node.candidate_id,
            tier_of(node.decision.label, validation),
            [solved.judgement for solved in repeats],
            self._settings.certify,
            validation,
        )
        return Tested(node, tuple(repeats), stability)

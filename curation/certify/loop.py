"""The search for the k best stable candidates of one seed, one wave of candidates a step.

Candidates are taken in score order. A wave tests as many as are still missing to ``top_k``; when some
turn out unstable, the next best take their place, until k are stable or none is left. What was not
needed stays in the registry as not selected. What people decided comes first (``curation.pool``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from curation.certify.early import decided, wave
from curation.certify.stability import is_known, stability_of_repeats
from curation.estimates import plan_certify
from curation.node import Node
from curation.opinions import Verdict
from curation.pool import pool_of
from curation.stage import gather_all
from curation.tools import Tools
from curation.validate import Solved, solve
from salitrap.plan import Plan
from salitrap.records import Answer, Judgement, Seed, Stability

NOTHING_SAID: Mapping[str, Verdict] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Tested:
    """One candidate after its repeats."""

    node: Node
    answers: tuple[Answer, ...]
    judgements: tuple[Judgement, ...]
    stability: Stability

    @property
    def known(self) -> bool:
        """True when enough repeats have a label."""
        return is_known(self.stability)


@dataclass(frozen=True, slots=True)
class CertifyState:
    """A seed's certified candidates, best first, and those tested so far.

    The first ``required`` are tested also when enough others are stable.
    """

    seed: Seed
    pool: tuple[Node, ...]
    required: int = 0
    tested: tuple[Tested, ...] = ()

    @property
    def waiting(self) -> tuple[Node, ...]:
        """Candidates not tested yet, best first."""
        return self.pool[len(self.tested) :]

    @property
    def stable(self) -> tuple[Tested, ...]:
        """Candidates that kept their label group, best first."""
        return tuple(one for one in self.tested if one.stability.stable)

    @property
    def unsettled(self) -> int:
        """Candidates whose repeats could not be labelled."""
        return sum(not one.known for one in self.tested)


class CertifyStage:
    """Steps of one wave each, for any seed."""

    def __init__(self, tools: Tools) -> None:
        self._tools, self._settings = tools, tools.settings

    def first(
        self, seed: Seed, nodes: Sequence[Node], verdicts: Mapping[str, Verdict] = NOTHING_SAID
    ) -> CertifyState:
        """The state before any repeat; ``verdicts`` are what people decided, by candidate."""
        pool = pool_of(nodes, verdicts, self._settings)
        return CertifyState(seed=seed, pool=pool.nodes, required=pool.required)

    async def step(self, state: CertifyState) -> CertifyState:
        """Test the next wave.

        Raises:
            StoppedError: the run cannot go on; ``state`` still holds.
        """
        wave = state.waiting[: self._missing(state)]
        tested = await gather_all([self._test(state.seed, node) for node in wave])
        return replace(state, tested=(*state.tested, *tested))

    def finished(self, state: CertifyState) -> bool:
        """True when k are stable and what people chose is tested, or none is left."""
        return not state.waiting or self._missing(state) <= 0

    def estimate(self, state: CertifyState) -> Plan:
        """Calls from ``state`` to the end of this seed."""
        if self.finished(state):
            return Plan()
        return plan_certify(self._settings, seeds=1, pool=len(state.waiting))

    def _missing(self, state: CertifyState) -> int:
        short = self._settings.refine.top_k - len(state.stable)
        return max(short, state.required - len(state.tested))

    async def _repeats(self, seed: Seed, node: Node) -> list[Solved]:
        """All at once; with early stopping in waves, each as large as must be before anything is decided."""
        every, solved = self._settings.certify.repeats, list[Solved]()
        while len(solved) < every:
            more = self._next(node, solved)
            if not more:
                break
            numbers = range(len(solved) + 1, len(solved) + more + 1)
            calls: list[Awaitable[Solved]] = [
                solve(self._tools, seed, node.candidate, repeat=number) for number in numbers
            ]
            solved += await gather_all(calls)
        return solved

    def _next(self, node: Node, solved: Sequence[Solved]) -> int:
        """Repeats to make now; 0 when the outcome is decided."""
        certify, validation = self._settings.certify, self._settings.validation
        if not certify.early_stop:
            return certify.repeats
        label, judged = node.decision.label, [one.judgement for one in solved]
        return 0 if decided(label, judged, certify, validation) else wave(label, judged, certify, validation)

    async def _test(self, seed: Seed, node: Node) -> Tested:
        """Repeats 1 to n: repeat 0 was the first evaluation, which must not count twice."""
        solved = await self._repeats(seed, node)
        judgements = tuple(one.judgement for one in solved)
        return Tested(
            node=node,
            answers=tuple(one.answer for one in solved),
            judgements=judgements,
            stability=stability_of_repeats(
                node.candidate_id,
                node.decision.label,
                judgements,
                self._settings.certify,
                self._settings.validation,
            ),
        )

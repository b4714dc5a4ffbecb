"""The state of the search around one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from curation.node import Node
from salitrap.records import Fault, Rejection, Route, Seed, Status


class SearchEnd(StrEnum):
    """Why the search around a seed ended."""

    ENOUGH = "enough_certified"
    BUDGET = "budget_spent"
    NOTHING_ACTIVE = "nothing_active"


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of descent that is still worked on.

    ``tip`` is the place of its best node, ``used`` the strategies of the whole lineage, ``stale``
    the rounds since the last progress; ``naturalise`` and ``camouflage`` count rounds since the
    branch began.
    """

    tip: int
    used: tuple[str, ...] = ()
    stale: int = 0
    naturalise: int = 0
    camouflage: int = 0

    def tried(self, strategy: str, route: Route) -> Branch:
        """The branch after one more round of an objective."""
        return replace(
            self,
            used=(*self.used, strategy),
            naturalise=self.naturalise + (route is Route.NATURALISE),
            camouflage=self.camouflage + (route is Route.CAMOUFLAGE),
        )


@dataclass(frozen=True, slots=True)
class SearchState:
    """Everything known about a seed between two rounds.

    ``nodes`` are in lineage order: c0, then children in the order they were decided. Discarded
    children are nodes too; ``unwritten`` holds children that never became one. ``branches`` are the
    active ones, in the order they began.
    """

    seed: Seed
    nodes: tuple[Node, ...] = ()
    branches: tuple[Branch, ...] = ()
    unwritten: tuple[Rejection, ...] = ()
    round: int = 0
    expansions: int = 0
    explorations: int = 0
    end: SearchEnd | None = None

    @property
    def candidates(self) -> int:
        """Nodes that count against ``max_candidates``: all but the discarded."""
        return sum(node.decision.status is not Status.DISCARDED for node in self.nodes)

    @property
    def certified(self) -> int:
        """Nodes in the pool."""
        return sum(node.decision.status is Status.CERTIFIED for node in self.nodes)

    @property
    def unsettled(self) -> bool:
        """True when something could not be judged or written for want of a reply."""
        waiting = any(node.decision.status is Status.UNSETTLED for node in self.nodes)
        return waiting or any(rejection.fault is Fault.CALL_FAILED for rejection in self.unwritten)

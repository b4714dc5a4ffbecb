"""The named strategies of the three rewriting objectives (method, stage 3).

Names, routes and what they may do to figures are fixed here; their instructions are data in
``prompts/<language>/strategies.yaml``.
"""

from __future__ import annotations

from dataclasses import dataclass

from prompts.strategies import load_strategies
from salitrap.records.enums import Language, Route


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to pursue an objective; ``adds_numbers`` lets the child have more figures."""

    name: str
    route: Route
    adds_numbers: bool = False

    def instruction(self, language: Language) -> str:
        """What the writer is told to do."""
        return load_strategies(language).instruction(self.route, self.name)


STRATEGIES: tuple[Strategy, ...] = (
    Strategy("keep_bait_simplify", Route.NATURALISE),
    Strategy("natural_scene", Route.NATURALISE),
    Strategy("less_patchiness", Route.NATURALISE),
    Strategy("refocus_question", Route.NATURALISE),
    Strategy("remove_odd_constraints", Route.REPAIR),
    Strategy("realistic_role", Route.REPAIR),
    Strategy("clarify_binding", Route.REPAIR),
    Strategy("decision_alternative", Route.CAMOUFLAGE),
    Strategy("relevant_numbers", Route.CAMOUFLAGE, adds_numbers=True),
    Strategy("hide_in_task", Route.CAMOUFLAGE),
    Strategy("avoid_pressure", Route.CAMOUFLAGE),
)


def strategies_for(route: Route) -> tuple[Strategy, ...]:
    """Strategies of ``route`` in the order they are tried; () for a route that does not rewrite."""
    return tuple(strategy for strategy in STRATEGIES if strategy.route is route)

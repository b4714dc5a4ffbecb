"""The search around one seed (paper, section 3.3.3), one round a step.

Rules, in the order they apply:

1. Round 0 validates c0, the seed's own prompt, by the path of every later candidate. If its route
   rewrites (naturalise, camouflage, repair) it opens the first branch. Where a search has two
   explorations or more and cannot end before the last, whatever the replies, the first one, of c0,
   is made meanwhile: the same calls, sooner.
2. A round gives each active branch one child, in the order the branches began. The child comes
   from the branch's tip by the first strategy of the tip's route that the lineage has not used.
3. A round explores, too, when its number is a multiple of ``explore_every`` or no branch is active:
   the generator mutates the valid candidate with the best base score (c0 if there is none), at
   most ``generator_rounds`` times a seed. A valid child whose route rewrites opens a branch, with
   the strategies of its ancestors used and its own round counts.
4. A round never takes more children than ``max_expansions`` and ``max_candidates`` leave; branches
   come before the mutation, earlier branches before later ones. Every child that was asked for is
   an expansion; discarded ones are no candidates.
5. A child is written, then screened without a model (guards; a text that is there already), in
   lineage order, then checked for compliance, then validated. Failing on the way discards it, with
   the reason recorded; what could not be judged is unsettled.
6. A child that makes progress (``refine.progress``) becomes the branch's tip. Otherwise the tip
   stays and the branch is one round staler; so it is when no child was written.
7. A branch ends when its tip's route no longer rewrites, after ``patience`` stale rounds, when its
   objective has no unused strategy, or after ``naturalise_rounds`` or ``camouflage_rounds`` rounds
   of that objective.
8. The search ends with ``top_k`` certified candidates, with a budget spent, or with no active
   branch and no exploration left. c0 may have been archived: exploration happens all the same.

Children of one round are written and checked concurrently. Everything is decided in lineage order,
so neither timing nor the number of workers shows in the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curation.estimates import always_explores, plan_refine
from curation.node import Node
from curation.refine.expand import Child, Task, expand
from curation.refine.progress import is_progress
from curation.refine.state import Branch, SearchEnd, SearchState
from curation.scoring import best
from curation.stage import gather_two
from curation.tools import Tools
from curation.transitions import Found, after
from curation.validate import validate
from generator.strategies import Strategy
from salitrap.plan import Plan
from salitrap.records import Candidate, Decision, Origin, Rejection, Route, Seed

REWRITING = frozenset({Route.NATURALISE, Route.CAMOUFLAGE, Route.REPAIR})


class RefineStage:
    """Steps of one round each, for any seed."""

    def __init__(self, tools: Tools) -> None:
        self._tools, self._settings = tools, tools.settings.refine

    def first(self, seed: Seed) -> SearchState:
        """The state before anything is known of ``seed``."""
        return SearchState(seed=seed)

    async def step(self, state: SearchState) -> SearchState:
        """Do one round.

        Raises:
            StoppedError: the run cannot go on; ``state`` still holds.
        """
        if not state.nodes:
            return self._ended(await self._first_round(state))
        tasks = self._tasks(state)
        children = await expand(self._tools, state, tasks)
        return self._ended(self._folded(state, tasks, children))

    async def _first_round(self, state: SearchState) -> SearchState:
        unborn = _not_validated(state.seed)
        explores = self._settings.generator_rounds > 1 and always_explores(self._tools.settings)
        tasks = [Task(unborn, None, None)] if explores else []
        validated = validate(self._tools, state.seed, unborn.candidate)
        mutated = expand(self._tools, replace(state, nodes=(unborn,)), tasks)
        node, children = await gather_two(validated, mutated)
        known = replace(state, nodes=(node,))
        opened = tuple(branch for branch in (Branch(tip=0),) if self._goes_on(known, branch))
        return self._folded(replace(known, branches=opened), tasks, children)

    def finished(self, state: SearchState) -> bool:
        """True when the search around the seed has ended."""
        return state.end is not None

    def estimate(self, state: SearchState) -> Plan:
        """Calls from ``state`` to the end of this seed's search."""
        if state.end is not None:
            return Plan()
        return plan_refine(self._tools.settings, seeds=1, spent=state.expansions)

    def _tasks(self, state: SearchState) -> list[Task]:
        room = min(
            self._settings.max_expansions - state.expansions,
            self._settings.max_candidates - state.candidates,
        )
        tasks = [
            Task(state.nodes[branch.tip], self._next_strategy(state, branch), place)
            for place, branch in enumerate(state.branches)
        ]
        if self._explores(state):
            tasks.append(Task(self._exploration_parent(state), None, None))
        return tasks[:room]

    def _explores(self, state: SearchState) -> bool:
        due = state.round % self._settings.explore_every == 0 or not state.branches
        return due and state.explorations < self._settings.generator_rounds

    def _exploration_parent(self, state: SearchState) -> Node:
        return best(state.nodes, self._settings, self._tools.settings.validation) or state.nodes[0]

    def _next_strategy(self, state: SearchState, branch: Branch) -> Strategy | None:
        route = state.nodes[branch.tip].decision.route
        if branch.naturalise >= self._settings.naturalise_rounds and route is Route.NATURALISE:
            return None
        if branch.camouflage >= self._settings.camouflage_rounds and route is Route.CAMOUFLAGE:
            return None
        unused = (one for one in self._tools.programs.strategies(route) if one.name not in branch.used)
        return next(unused, None)

    def _folded(self, state: SearchState, tasks: Sequence[Task], children: Sequence[Child]) -> SearchState:
        """The state with a round's children in it, in the order of their tasks."""
        nodes, unwritten = list(state.nodes), list(state.unwritten)
        worked, opened, explorations = dict[int, Branch](), list[Branch](), state.explorations
        for task, child in zip(tasks, children, strict=True):
            place = len(nodes)
            if isinstance(child, Rejection):
                unwritten.append(child)
            else:
                nodes.append(child)
            if task.branch is None:
                explorations += 1
                opened += self._opened(state, task, child, place)
            else:
                worked[task.branch] = self._worked(state.branches[task.branch], task, child, place)
        after = replace(
            state,
            nodes=tuple(nodes),
            unwritten=tuple(unwritten),
            round=state.round + 1,
            expansions=state.expansions + len(tasks),
            explorations=explorations,
        )
        branches = [worked.get(place, branch) for place, branch in enumerate(state.branches)]
        return replace(
            after, branches=tuple(one for one in (*branches, *opened) if self._goes_on(after, one))
        )

    def _worked(self, branch: Branch, task: Task, child: Child, place: int) -> Branch:
        tip = task.parent.decision
        tried = branch.tried(task.name, tip.route)
        if isinstance(child, Node) and is_progress(tip, child.decision, self._settings):
            return replace(tried, tip=place, stale=0)
        return replace(tried, stale=tried.stale + 1)

    def _opened(self, state: SearchState, task: Task, child: Child, place: int) -> list[Branch]:
        if isinstance(child, Rejection) or not child.valid:
            return []
        return [Branch(tip=place, used=strategies_of_lineage(state.nodes, task.parent))]

    def _goes_on(self, state: SearchState, branch: Branch) -> bool:
        rewrites = state.nodes[branch.tip].decision.route in REWRITING
        alive = rewrites and branch.stale < self._settings.patience
        return alive and self._next_strategy(state, branch) is not None

    def _ended(self, state: SearchState) -> SearchState:
        return replace(state, end=self._why_ended(state))

    def _why_ended(self, state: SearchState) -> SearchEnd | None:
        if state.certified >= self._settings.top_k:
            return SearchEnd.ENOUGH
        exploring = state.explorations < self._settings.generator_rounds
        if not state.branches and not exploring:
            return SearchEnd.NOTHING_ACTIVE
        spent = state.expansions >= self._settings.max_expansions
        full = state.candidates >= self._settings.max_candidates
        return SearchEnd.BUDGET if spent or full else None


def _not_validated(seed: Seed) -> Node:
    """c0 before anything is known of it."""
    candidate = first_candidate(seed)
    status, route = after(None, Found.WRITTEN)
    decision = Decision(candidate_id=candidate.candidate_id, status=status, route=route)
    return Node(candidate=candidate, decision=decision)


def first_candidate(seed: Seed) -> Candidate:
    """c0: the seed's own prompt."""
    return Candidate(
        seed_id=seed.seed_id,
        parent_id=None,
        ordinal=0,
        depth=0,
        language=seed.language,
        origin=Origin.SEED,
        strategy="",
        prompt=seed.prompt,
        injected_numbers=seed.injected_numbers,
        provenance=seed.provenance,
    )


def strategies_of_lineage(nodes: Sequence[Node], node: Node) -> tuple[str, ...]:
    """Strategies on the way from c0 to ``node``, oldest first."""
    by_id = {one.candidate_id: one for one in nodes}
    used = list[str]()
    step: Node | None = node
    while step is not None:
        if step.candidate.strategy:
            used.append(step.candidate.strategy)
        parent = step.candidate.parent_id
        step = by_id.get(parent) if parent is not None else None
    return tuple(reversed(used))

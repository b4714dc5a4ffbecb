"""The refinement stage: every active seed searched once."""

from __future__ import annotations

from curation.funnel import without_seeds
from curation.node import Node
from curation.refine.edits import with_edits
from curation.refine.loop import RefineStage
from curation.refine.state import SearchState
from curation.registry import Batch, Event, Registry, WorkState
from curation.registry.events import batch_of_nodes, rejection_event
from curation.registry.people import edits_of
from curation.registry.progress import count_active, is_done
from curation.scoring import base_score, ranked
from curation.seed_work import SeedProgress, work_through
from curation.stage import Reporter, StopSwitch, run_to_end
from curation.swayed import refine_key
from curation.tools import Tools
from salitrap.records import Seed, Stage


async def run_refine(tools: Tools, registry: Registry, reporter: Reporter, switch: StopSwitch) -> None:
    """Search around every active seed that is not done under the present settings.

    Raises:
        InputError: there are no seeds, with what most of them were rejected for.
        StoppedError: the run cannot go on; the same call goes on later.
    """
    work = RefineWork(tools, registry, reporter)
    await work_through((work,), registry, tools.settings, reporter, switch)


class RefineWork:
    """Refinement as it works on a seed."""

    stage = Stage.REFINE

    def __init__(self, tools: Tools, registry: Registry, reporter: Reporter) -> None:
        """Raise InputError when there are no seeds, with what most of them were rejected for."""
        self.total = count_active(registry)
        if not self.total:
            raise without_seeds(registry)
        self._tools, self._registry, self._refine = tools, registry, RefineStage(tools)
        self._progress = SeedProgress(reporter, self.stage)

    async def on(self, seed: Seed) -> None:
        """Search around ``seed`` and write what came of it.

        Raises:
            StoppedError: the run cannot go on.
        """
        tools, registry = self._tools, self._registry
        fingerprint = refine_key(registry, tools.settings, tools.programs.prompts, seed)
        if is_done(registry, self.stage, seed.seed_id, fingerprint):
            self._progress.skip()
            return
        found = await search(self._refine, seed)
        state = await with_edits(tools, found, edits_of(registry, seed.seed_id))
        registry.write(outcome(tools, state, fingerprint))
        made = {"candidates": len(state.nodes), "certified": state.certified}
        self._progress.add({**made, "unsettled": int(state.unsettled)})


async def search(stage: RefineStage, seed: Seed) -> SearchState:
    """Step until the search around ``seed`` has ended.

    Raises:
        StoppedError: the run cannot go on.
    """
    return await run_to_end(stage, stage.first(seed))


def outcome(tools: Tools, state: SearchState, fingerprint: str) -> Batch:
    """What the registry keeps of a finished search: all candidates, scored."""
    rejections = tuple(
        rejection_event(rejection, f"{place:04d}") for place, rejection in enumerate(state.unwritten)
    )
    events: tuple[Event, ...] = (*batch_of_nodes(scored(tools, state.nodes)), *rejections)
    return Batch(
        stage=Stage.REFINE,
        fingerprint=fingerprint,
        events=events,
        seed_id=state.seed.seed_id,
        state=WorkState.UNSETTLED if state.unsettled else WorkState.DONE,
        summary={
            "end": state.end.value if state.end else "",
            "rounds": state.round,
            "expansions": state.expansions,
            "unwritten": len(state.unwritten),
            "candidates": len(state.nodes),
            "certified": state.certified,
        },
    )


def scored(tools: Tools, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Nodes with score(c) in their decisions; near duplicates are known only once all are there."""
    refine, validation = tools.settings.refine, tools.settings.validation
    final = {node.candidate_id: score for node, score in ranked(nodes, refine, validation)}
    return tuple(
        _with_score(node, final.get(node.candidate_id, base_score(node, refine.weights, validation)))
        if node.valid
        else node
        for node in nodes
    )


def _with_score(node: Node, score: float) -> Node:
    return node.model_copy(update={"decision": node.decision.model_copy(update={"score": score})})

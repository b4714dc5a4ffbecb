"""The refinement stage: every active seed searched once, several at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from curation.funnel import without_seeds
from curation.node import Node
from curation.refine.edits import with_edits
from curation.refine.loop import RefineStage
from curation.refine.state import SearchState
from curation.registry import Batch, Event, Registry, WorkState
from curation.registry.events import batch_of_nodes, rejection_event
from curation.registry.people import edits_of
from curation.registry.progress import count_active, is_done
from curation.registry.queries import active_seeds
from curation.scoring import base_score, ranked
from curation.stage import Reporter, StopSwitch, for_each
from curation.swayed import refine_key
from curation.tools import Tools
from salitrap.records import Seed, Stage


async def run_refine(tools: Tools, registry: Registry, reporter: Reporter, switch: StopSwitch) -> None:
    """Search around every active seed that is not done under the present settings.

    Raises:
        InputError: there are no seeds, with what most of them were rejected for.
        StoppedError: the run cannot go on; the same call goes on later.
    """
    total = count_active(registry)
    if not total:
        raise without_seeds(registry)
    stage, progress = RefineStage(tools), _Progress(reporter, total)

    async def work(seed: Seed) -> None:
        fingerprint = refine_key(registry, tools.settings, tools.programs.prompts, seed)
        if is_done(registry, Stage.REFINE, seed.seed_id, fingerprint):
            progress.skip()
            return
        state = await with_edits(tools, await search(stage, seed), edits_of(registry, seed.seed_id))
        registry.write(outcome(tools, state, fingerprint))
        progress.add(state)

    reporter.stage_started(Stage.REFINE, total)
    seeds: Iterator[Seed] = active_seeds(registry)
    await for_each(seeds, work, workers=tools.settings.limits.seeds_in_flight, switch=switch)
    reporter.finished(Stage.REFINE)


async def search(stage: RefineStage, seed: Seed) -> SearchState:
    """Step until the search around ``seed`` has ended.

    Raises:
        StoppedError: the run cannot go on.
    """
    state = stage.first(seed)
    while not stage.finished(state):
        state = await stage.step(state)
    return state


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


class _Progress:
    """Running totals for the reporter."""

    def __init__(self, reporter: Reporter, total: int) -> None:
        self._reporter, self._total, self._done = reporter, total, 0
        self._counts = Counter[str]()

    def skip(self) -> None:
        self._counts["done before"] += 1
        self._tell()

    def add(self, state: SearchState) -> None:
        self._counts["candidates"] += len(state.nodes)
        self._counts["certified"] += state.certified
        self._counts["unsettled"] += state.unsettled
        self._tell()

    def _tell(self) -> None:
        self._done += 1
        self._reporter.advanced(Stage.REFINE, self._done, dict(self._counts))

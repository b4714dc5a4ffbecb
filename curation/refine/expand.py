"""One round's children: written at once, screened in lineage order, then checked at once."""

from __future__ import annotations

from dataclasses import dataclass

from curation import rejects
from curation.node import Node
from curation.refine.feedback import feedback_for
from curation.refine.state import SearchState
from curation.scoring import exact_twin
from curation.stage import gather_all
from curation.tools import Tools, slot_of
from curation.transitions import Found, after
from curation.validate import validate
from generator.strategies import Strategy
from salitrap.errors import CallFailed
from salitrap.records import (
    Candidate,
    Decision,
    Evaluation,
    Fault,
    Language,
    Origin,
    Provenance,
    Rejection,
    Route,
    Status,
    VerdictKind,
    content_id,
)
from salitrap.text import locate_numbers

MUTATION = "mutate"
ORIGINS = {
    Route.NATURALISE: Origin.NATURALISE,
    Route.CAMOUFLAGE: Origin.CAMOUFLAGE,
    Route.REPAIR: Origin.REPAIR,
}


@dataclass(frozen=True, slots=True)
class Task:
    """One child to write; without a strategy it is a mutation. ``branch`` is its place, if any."""

    parent: Node
    strategy: Strategy | None
    branch: int | None

    @property
    def name(self) -> str:
        """Strategy name as recorded."""
        return self.strategy.name if self.strategy is not None else MUTATION

    @property
    def adds_numbers(self) -> bool:
        """True when the child may have more numbers than the seed."""
        return self.strategy is not None and self.strategy.adds_numbers

    def told(self, language: Language) -> tuple[str, ...]:
        """What the writer is told beside the text: the strategy's instruction and remarks on the parent."""
        if self.strategy is None:
            return ()
        return self.strategy.instruction(language), feedback_for(self.parent)

    @property
    def origin(self) -> Origin:
        """How the child will have come to be."""
        return Origin.MUTATE if self.strategy is None else ORIGINS[self.parent.decision.route]


@dataclass(frozen=True, slots=True)
class Written:
    """The writer's reply to one task, or its failure."""

    task: Task
    prompt: str = ""
    provenance: Provenance | None = None
    failure: CallFailed | None = None


Child = Node | Rejection


async def expand(tools: Tools, state: SearchState, tasks: list[Task]) -> list[Child]:
    """Children in the order of ``tasks``: a node, or a rejection when none was written.

    Raises:
        StoppedError: the run cannot go on.
    """
    written = await gather_all([_write(tools, state, task, number) for number, task in enumerate(tasks)])
    screened = _screen(tools, state, written)
    return await gather_all([_finish(tools, state, child) for child in screened])


async def _write(tools: Tools, state: SearchState, task: Task, number: int) -> Written:
    seed, parent = state.seed, task.parent.candidate
    slot = slot_of(seed, len(state.nodes) + number)
    try:
        if task.strategy is None:
            siblings = [
                node.candidate.prompt for node in state.nodes if node.candidate_id != parent.candidate_id
            ]
            rewrite = await tools.programs.mutator.write(
                tools.access, seed, parent, siblings, slot=slot, repeat=state.explorations
            )
        else:
            feedback = feedback_for(task.parent)
            rewrite = await tools.programs.refiner.write(
                tools.access, seed, parent, task.strategy, feedback, slot=slot
            )
    except CallFailed as error:
        return Written(task, failure=error)
    return Written(task, rewrite.prompt, rewrite.provenance)


@dataclass(frozen=True, slots=True)
class _Screened:
    """A child before any model has seen it; ``node`` is set when it is already discarded."""

    task: Task
    candidate: Candidate
    node: Node | None


def _screen(tools: Tools, state: SearchState, written: list[Written]) -> list[_Screened | Rejection]:
    """Give ordinals and apply what needs no model, in lineage order."""
    known, screened = list(state.nodes), list[_Screened | Rejection]()
    for reply in written:
        if reply.failure is not None:
            screened.append(rejects.of_failed_rewrite(state.seed, _unborn(state, reply), reply.failure))
            continue
        candidate = _candidate(state, reply, len(known))
        twin = next((node for node in known if node.candidate_id == candidate.candidate_id), None)
        if twin is not None:
            screened.append(rejects.of_repeated_rewrite(state.seed, _unborn(state, reply), twin.candidate))
            continue
        guarded = _guarded(tools, state, reply.task, candidate, known)
        screened.append(_Screened(reply.task, candidate, guarded))
        known.append(guarded or discarded(candidate, None, ""))
    return screened


def _unborn(state: SearchState, reply: Written) -> str:
    """Identifier of a child that has no text of its own."""
    task = reply.task
    return content_id("child", [state.seed.seed_id, task.parent.candidate_id, task.name, state.round])


async def _finish(tools: Tools, state: SearchState, child: _Screened | Rejection) -> Child:
    if isinstance(child, Rejection):
        return child
    if child.node is not None:
        return child.node
    evaluation = await tools.programs.compliance.check_child(
        tools.access,
        state.seed,
        child.task.parent.candidate,
        child.candidate,
        adds_numbers=child.task.adds_numbers,
        slot=slot_of(state.seed, child.candidate.ordinal),
    )
    if evaluation.verdict is not VerdictKind.PASS:
        return refused(child.candidate, evaluation)
    node = await validate(tools, state.seed, child.candidate)
    return node.model_copy(update={"evaluations": (evaluation, *node.evaluations)})


def _candidate(state: SearchState, reply: Written, ordinal: int) -> Candidate:
    seed, parent = state.seed, reply.task.parent.candidate
    prompt, only_wanted = rejects.storable(reply.prompt), not reply.task.adds_numbers
    return Candidate(
        seed_id=seed.seed_id,
        parent_id=parent.candidate_id,
        ordinal=ordinal,
        depth=parent.depth + 1,
        language=seed.language,
        origin=reply.task.origin,
        strategy=reply.task.name,
        prompt=prompt,
        injected_numbers=locate_numbers(prompt, parent.injected_numbers, only_wanted=only_wanted),
        provenance=reply.provenance,
    )


def _guarded(
    tools: Tools, state: SearchState, task: Task, candidate: Candidate, known: list[Node]
) -> Node | None:
    """The discarded node when a guard objects or the text is there already."""
    faults = tools.programs.guards(
        state.seed,
        task.parent.candidate,
        candidate.prompt,
        adds_numbers=task.adds_numbers,
        bounds=tools.settings.scale.prompt_chars.get(state.seed.language),
        told=task.told(state.seed.language),
    )
    if faults:
        return discarded(candidate, faults[0][0], "; ".join(reason for _, reason in faults))
    twin = exact_twin(candidate.prompt, known, tools.settings.refine)
    if twin is not None:
        return discarded(candidate, Fault.NEAR_DUPLICATE, f"the text of {twin.candidate_id}")
    return None


def refused(candidate: Candidate, evaluation: Evaluation) -> Node:
    """The node of a child that is not compliant, or not known to be."""
    if evaluation.verdict is VerdictKind.FAIL:
        node = discarded(candidate, evaluation.fault, evaluation.reason)
        return node.model_copy(update={"evaluations": (evaluation,)})
    status, route = after(Status.NEW, Found.NOT_CHECKED)
    decision = Decision(
        candidate_id=candidate.candidate_id,
        status=status,
        route=route,
        fault=evaluation.fault or Fault.CALL_FAILED,
        reason=evaluation.reason,
    )
    return Node(candidate=candidate, evaluations=(evaluation,), decision=decision)


def discarded(candidate: Candidate, fault: Fault | None, reason: str) -> Node:
    """The node of a child that goes no further, and why."""
    status, route = after(Status.NEW, Found.FAULTY)
    decision = Decision(
        candidate_id=candidate.candidate_id,
        status=status,
        route=route,
        fault=fault,
        reason=rejects.storable(reason),
    )
    return Node(candidate=candidate, decision=decision)

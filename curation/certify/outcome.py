"""What the registry keeps of a certified seed: repeats, stability, decisions and items."""

from __future__ import annotations

from collections.abc import Sequence

from curation.certify.loop import CertifyState, Tested
from curation.node import Node
from curation.registry import Batch, Event, WorkState
from curation.registry.events import (
    answer_event,
    decision_event,
    item_event,
    judgement_event,
    stability_event,
)
from curation.transitions import Found, after
from salitrap.records import CertifiedItem, Decision, Fault, Seed, Stage
from salitrap.records.item import item_content, item_id_of


def outcome(state: CertifyState, nodes: Sequence[Node], fingerprint: str) -> Batch:
    """The batch of one seed; ``nodes`` are all its candidates, for the items' descent."""
    events = list[Event]()
    for tested in state.tested:
        events += _tested_events(state.seed, tested)
    for rank, tested in enumerate(state.stable):
        events.append(item_event(item_of(state.seed, tested, nodes), rank))
    events += [decision_event(_not_selected(node), state.seed.seed_id) for node in state.waiting]
    return Batch(
        stage=Stage.CERTIFY,
        fingerprint=fingerprint,
        events=tuple(events),
        seed_id=state.seed.seed_id,
        state=WorkState.UNSETTLED if state.unsettled else WorkState.DONE,
        summary={
            "tested": len(state.tested),
            "stable": len(state.stable),
            "not_selected": len(state.waiting),
        },
    )


def item_of(seed: Seed, tested: Tested, nodes: Sequence[Node]) -> CertifiedItem:
    """The item a stable candidate becomes."""
    node, candidate = tested.node, tested.node.candidate
    numbers = candidate.injected_numbers
    content = item_content(seed.seed_id, candidate.prompt, seed.trap_core, seed.ground_truth, numbers)
    return CertifiedItem(
        item_id=item_id_of(candidate.candidate_id, content),
        seed_id=seed.seed_id,
        candidate_id=candidate.candidate_id,
        prompt=candidate.prompt,
        trap_core=seed.trap_core,
        ground_truth=seed.ground_truth,
        injected_numbers=numbers,
        dimension_tag=seed.dimension_tag,
        naturalness_score=node.decision.naturalness or 0.0,
        attack_tier=tested.stability.certified_tier,
        language=seed.language,
        solver_family=node.answer.solver_family if node.answer else "",
        stability_rate=tested.stability.rate,
        stability_stopped_early=tested.stability.stopped_early,
        simulated=simulated(seed, tested, nodes),
    )


def simulated(seed: Seed, tested: Tested, nodes: Sequence[Node]) -> bool:
    """True when the lab had a hand in the seed, the descent, the checks, the labels or the repeats."""
    if seed.simulated or any(
        source.simulated for one in descent(tested.node, nodes) for source in one.provenances()
    ):
        return True
    sources = [answer.provenance for answer in tested.answers]
    sources += [source for judgement in tested.judgements for source in judgement.provenances()]
    return any(source is not None and source.simulated for source in sources)


def descent(node: Node, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The way from c0 to ``node``, both included."""
    by_id = {one.candidate_id: one for one in nodes}
    way = [node]
    while (parent := way[-1].candidate.parent_id) is not None and parent in by_id:
        way.append(by_id[parent])
    return tuple(reversed(way))


def _tested_events(seed: Seed, tested: Tested) -> list[Event]:
    events = [stability_event(tested.stability, seed.seed_id)]
    events += [answer_event(answer, seed.seed_id) for answer in tested.answers]
    events += [judgement_event(judgement, seed.seed_id) for judgement in tested.judgements]
    return [*events, decision_event(_decided(tested), seed.seed_id)]


def _decided(tested: Tested) -> Decision:
    stability, decision = tested.stability, tested.node.decision
    scored = len(stability.labels) - stability.unscored
    told = (
        f"{stability.rate:.2f} of {scored} scored repeats {stability.certified_tier.value}, {stability.rule}"
        f"{', stopped early' if stability.stopped_early else ''}"
    )
    if stability.stable:
        return _moved(decision, Found.STABLE, None, told)
    if tested.known:
        return _moved(decision, Found.UNSTABLE, Fault.UNSTABLE, told)
    few = f"only {scored} of {len(stability.labels)} repeats could be scored{_why(tested)}"
    return _moved(decision, Found.UNSCORED, Fault.CALL_FAILED, few)


def _moved(decision: Decision, found: Found, fault: Fault | None, reason: str) -> Decision:
    status, route = after(decision.status, found)
    return decision.model_copy(update={"status": status, "route": route, "fault": fault, "reason": reason})


def _why(tested: Tested) -> str:
    """The reason of the first repeat that has no label, since nobody looks for it among the answers."""
    reasons = (one.reason for one in tested.judgements if one.label is None and one.reason)
    first = next(reasons, "")
    return f"; the first of the others: {first}" if first else ""


def _not_selected(node: Node) -> Decision:
    return _moved(node.decision, Found.NOT_SELECTED, Fault.NOT_SELECTED, "enough better ones are stable")

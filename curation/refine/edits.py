"""Texts that people wrote: checked, solved and judged like any other, once the search has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation import rejects
from curation.node import Node
from curation.opinions import Edit
from curation.refine.expand import discarded, refused
from curation.refine.state import SearchState
from curation.stage import gather_all
from curation.tools import Tools, slot_of
from curation.validate import validate
from salitrap.records import Candidate, Fault, Rejection, Seed, VerdictKind

COPIES = frozenset({Fault.COPY_OF_PARENT, Fault.COPY_OF_SEED})
"""Faults that do not hold against a person, who may well change a single word."""


async def with_edits(tools: Tools, state: SearchState, edits: Sequence[Edit]) -> SearchState:
    """``state`` with the edited texts as candidates after those of the search, in the order of writing.

    Raises:
        StoppedError: the run cannot go on.
    """
    written, repeated = _written(state, edits)
    nodes = await gather_all([_judged(tools, state.seed, one) for one in written])
    unwritten = (*state.unwritten, *repeated)
    return replace(state, nodes=(*state.nodes, *nodes), unwritten=unwritten)


@dataclass(frozen=True, slots=True)
class _Written:
    """An edited text as a candidate, beside the one it began from."""

    parent: Candidate
    candidate: Candidate


def _written(state: SearchState, edits: Sequence[Edit]) -> tuple[list[_Written], list[Rejection]]:
    known = {node.candidate.prompt: node.candidate for node in state.nodes}
    written, repeated = list[_Written](), list[Rejection]()
    for edit in edits:
        candidate = edit.candidate(len(state.nodes) + len(written))
        twin = known.get(candidate.prompt)
        if twin is not None:
            repeated.append(rejects.of_repeated_rewrite(state.seed, candidate.candidate_id, twin))
            continue
        known[candidate.prompt] = candidate
        written.append(_Written(edit.parent, candidate))
    return written, repeated


async def _judged(tools: Tools, seed: Seed, one: _Written) -> Node:
    faults = guard_faults_of(tools, seed, one.parent, one.candidate.prompt)
    if faults:
        return discarded(one.candidate, faults[0][0], "; ".join(reason for _, reason in faults))
    evaluation = await tools.programs.compliance.check_child(
        tools.access,
        seed,
        one.parent,
        one.candidate,
        adds_numbers=True,
        slot=slot_of(seed, one.candidate.ordinal),
    )
    if evaluation.verdict is not VerdictKind.PASS:
        return refused(one.candidate, evaluation)
    node = await validate(tools, seed, one.candidate)
    return node.model_copy(update={"evaluations": (evaluation, *node.evaluations)})


def guard_faults_of(
    tools: Tools, seed: Seed, parent: Candidate, prompt: str
) -> tuple[tuple[Fault, str], ...]:
    """What the guards say against an edited text."""
    faults = tools.programs.guards(
        seed,
        parent,
        prompt,
        adds_numbers=True,
        bounds=tools.settings.scale.prompt_chars.get(seed.language),
    )
    return tuple(fault for fault in faults if fault[0] not in COPIES)

"""The items of a run with what people decided: stable ones that nobody rejected, and accepted ones."""

from __future__ import annotations

from collections.abc import Iterator

from curation.certify.loop import Tested
from curation.certify.outcome import item_of
from curation.registry import Registry
from curation.registry.queries import items, nodes_of, repeats_of, seed_of, stability_of
from salitrap.records import CertifiedItem

ACCEPTED = (
    "SELECT mine.seed_id, mine.candidate_id FROM current_decisions AS mine"
    " JOIN active_seeds AS seeds USING (seed_id) JOIN candidates USING (candidate_id)"
    " WHERE mine.status = 'accepted' AND mine.machine_status = 'unstable'"
    " ORDER BY seeds.position, candidates.ordinal"
)


def items_of_run(registry: Registry) -> Iterator[CertifiedItem]:
    """Stable items in the order of ``queries.items``, then those that a person accepted."""
    yield from items(registry)
    for seed_id, candidate_id in registry.connection.execute(ACCEPTED).fetchall():
        yield accepted_item(registry, seed_id, candidate_id)


def accepted_item(registry: Registry, seed_id: str, candidate_id: str) -> CertifiedItem:
    """The item that an unstable candidate becomes when a person accepts it, with the rate it really has.

    Raises:
        LookupError: the candidate was never tested.
    """
    nodes, seed = nodes_of(registry, seed_id), seed_of(registry, seed_id)
    stability = stability_of(registry, candidate_id)
    node = next((one for one in nodes if one.candidate_id == candidate_id), None)
    if seed is None or stability is None or node is None:
        raise LookupError(f"{candidate_id}: no repeats in the registry")
    answers, judgements = repeats_of(registry, candidate_id)
    tested = Tested(
        node=node,
        answers=tuple(one for one in answers if one.repeat),
        judgements=tuple(one for one in judgements if one.repeat),
        stability=stability,
    )
    return item_of(seed, tested, nodes)

"""Labels that the rules would not give: a queue for later review."""

from __future__ import annotations

from collections.abc import Iterator

from curation.registry.faults import translated
from curation.registry.registry import Registry
from salitrap.records import Judgement

_QUERY = (
    "SELECT judgements.record FROM judgements"
    " JOIN active_seeds AS seeds USING (seed_id) JOIN candidates USING (candidate_id)"
    " WHERE json_extract(judgements.record, '$.second_label') IS NOT NULL"
    " ORDER BY seeds.position, candidates.ordinal, judgements.repeat"
)


def doubted(registry: Registry) -> Iterator[Judgement]:
    """Judgements on candidates of the active seeds to which the rules give another label than the judge.

    Seeds in order of acceptance, candidates in lineage order, repeats in order; none without second opinions.
    """
    with translated(registry.path):
        for (record,) in registry.connection.execute(_QUERY):
            judgement = Judgement.model_validate_json(record)
            if judgement.doubted:
                yield judgement

"""What came of each way to make a candidate: the seed's prompt, every strategy, mutations, people's edits."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curation.directory import Layout
from curation.node import NOT_VALID
from curation.registry import Registry
from salitrap.records import Origin, Status
from salitrap.records.base import Record
from salitrap.wilson import wilson

QUERY = """
SELECT json_extract(candidates.record, '$.origin'), json_extract(candidates.record, '$.strategy'),
    COUNT(*), SUM(refined.status = :discarded), SUM(refined.status NOT IN ({not_valid})),
    SUM(refined.status = :certified), COALESCE(SUM(repeated.status = :stable), 0)
FROM active_seeds JOIN candidates USING (seed_id)
JOIN decisions AS refined ON refined.candidate_id = candidates.candidate_id AND refined.stage = 'refine'
LEFT JOIN decisions AS repeated
    ON repeated.candidate_id = candidates.candidate_id AND repeated.stage = 'certify'
GROUP BY 1, 2
"""
PLACES = {origin.value: place for place, origin in enumerate(Origin)}


class StrategyStats(Record):
    """Candidates made in one way, over the active seeds of a run.

    ``discarded`` failed a guard or the compliance check, ``valid`` are known to hold their trap,
    ``certified`` were fallen for and read naturally when first asked, ``stable`` kept their label group.
    ``share`` is certified over written, ``low`` and ``high`` its 95 % Wilson interval. Candidates of one
    search resemble each other, so that the interval is rather too narrow.
    """

    origin: Origin
    strategy: str
    written: int
    discarded: int
    valid: int
    certified: int
    stable: int
    share: float
    low: float
    high: float


def strategy_stats(registry: Registry) -> tuple[StrategyStats, ...]:
    """One line a way, in the order of origins, then by name; ways that made nothing are absent."""
    values = {status.value: status.value for status in (Status.DISCARDED, Status.CERTIFIED, Status.STABLE)}
    not_valid = ", ".join(f"'{status.value}'" for status in sorted(NOT_VALID))
    lines = [_line(*row) for row in registry.connection.execute(QUERY.format(not_valid=not_valid), values)]
    return tuple(sorted(lines, key=lambda line: (PLACES[line.origin.value], line.strategy)))


def strategies_at(directory: Path) -> tuple[StrategyStats, ...]:
    """The same of a run directory, also while it is being worked on; nothing where no registry is yet.

    Raises:
        RunDirectoryError: damaged, or written by a newer version.
    """
    path = Layout(directory).registry
    if not path.exists():
        return ()
    with closing(Registry.open_reader(path)) as registry:
        return strategy_stats(registry)


def _line(
    origin: str, strategy: str, written: int, discarded: int, valid: int, certified: int, stable: int
) -> StrategyStats:
    low, high = wilson(certified, written)
    return StrategyStats(
        origin=Origin(origin),
        strategy=strategy,
        written=written,
        discarded=discarded,
        valid=valid,
        certified=certified,
        stable=stable,
        share=certified / written,
        low=low,
        high=high,
    )

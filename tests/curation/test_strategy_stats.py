"""What came of each strategy, against a count over all candidates one by one."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

from curation.registry import Registry
from curation.registry.queries import active_seeds, current_decision, nodes_of
from curation.strategy_stats import strategies_at
from salitrap.records import Origin, Stage, Status
from salitrap.wilson import wilson
from tests.curation.test_run import run
from tests.curation.world import RestlessAccess, World, settings


async def test_counts_are_those_of_the_candidates_one_by_one(tmp_path: Path) -> None:
    await run(tmp_path, settings(), RestlessAccess(World(failing=0.03), seed=1))
    counts = Counter[tuple[str, str, str]]()
    with closing(Registry.open_reader(tmp_path / "registry.sqlite")) as registry:
        for seed in active_seeds(registry):
            for node in nodes_of(registry, seed.seed_id):
                candidate, now = node.candidate, current_decision(registry, node.candidate_id)
                assert now is not None
                way = (candidate.origin.value, candidate.strategy)
                counts[*way, "written"] += 1
                counts[*way, "discarded"] += node.decision.status is Status.DISCARDED
                counts[*way, "valid"] += node.valid
                counts[*way, "certified"] += node.decision.status is Status.CERTIFIED
                counts[*way, "stable"] += now.status is Status.STABLE
    lines = strategies_at(tmp_path)
    assert {(line.origin.value, line.strategy) for line in lines} == {key[:2] for key in counts}
    for line in lines:
        way = (line.origin.value, line.strategy)
        for name in ("written", "discarded", "valid", "certified", "stable"):
            assert getattr(line, name) == counts[*way, name], (way, name)
        assert (line.low, line.high) == wilson(line.certified, line.written)
    assert len(lines) > 3
    assert lines[0].origin is Origin.SEED
    assert sum(line.certified for line in lines) > sum(line.stable for line in lines) > 0


async def test_before_anything_is_refined_there_is_no_line(tmp_path: Path) -> None:
    await run(tmp_path, settings(), RestlessAccess(World(), seed=1), (Stage.SCALE,))
    assert strategies_at(tmp_path) == ()

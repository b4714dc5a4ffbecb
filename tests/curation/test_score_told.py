"""The score that ``show`` explains adds up to the stored one, and the rank is the place in the pool."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from curation.registry import Registry
from curation.registry.queries import active_seeds, nodes_of, repeats_of
from curation.score_told import told_score
from curation.scoring import ranked
from curation.solver_stats import solver_stats
from curation.tiers import tier_of
from salitrap.records import Status, Tier
from salitrap.wilson import wilson
from tests.curation.test_run import run
from tests.curation.world import RestlessAccess, World, settings

GIVEN = settings(refine={"top_k": 1})


@pytest.fixture
async def registry(tmp_path: Path):
    await run(tmp_path, GIVEN, RestlessAccess(World(failing=0.03), seed=1))
    with closing(Registry.open_reader(tmp_path / "registry.sqlite")) as opened:
        yield opened


async def test_the_parts_add_up_and_the_rank_is_the_place(registry: Registry) -> None:
    told_of = 0
    for seed in active_seeds(registry):
        nodes = nodes_of(registry, seed.seed_id)
        places = [one.candidate_id for one, _ in ranked(nodes, GIVEN.refine, GIVEN.validation)]
        for node in nodes:
            told = told_score(node, nodes, GIVEN)
            assert (told is None) is (node.decision.score is None)
            if told is None:
                continue
            told_of += 1
            assert told.total == pytest.approx(node.decision.score)
            certified = node.decision.status is Status.CERTIFIED
            assert told.rank == (places.index(node.candidate_id) + 1 if certified else None)
            assert (told.pool, told.top_k) == (len(places), 1)
            assert bool(told.near_twin) is ("near_duplicate" in dict(told.parts))
    assert told_of > 10


async def test_repeats_by_solver_are_those_counted_one_by_one(registry: Registry) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for seed in active_seeds(registry):
        for node in nodes_of(registry, seed.seed_id):
            answers, judgements = repeats_of(registry, node.candidate_id)
            for answer, judgement in zip(answers, judgements, strict=True):
                if answer.repeat:
                    tier = tier_of(judgement.label, GIVEN.validation)
                    name = tier.value if judgement.label else "unscored"
                    counts[answer.solver_family, name] += 1
    lines = solver_stats(registry, GIVEN.validation)
    assert lines and sum(line.repeats for line in lines) == counts.total()
    for line in lines:
        for name, number in (("unscored", line.unscored), ("strong", line.strong), ("soft", line.soft)):
            assert counts[line.family, name] == number
        assert counts[line.family, Tier.NONE.value] == line.none
        assert (line.low, line.high) == wilson(line.stable, line.tested)

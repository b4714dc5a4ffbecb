"""The share of seeds that certify, by dimension, is what the planted solver implies."""

from __future__ import annotations

import math
from collections import defaultdict
from contextlib import closing

import pytest

from curation.registry import Registry
from curation.registry.queries import active_seeds, nodes_of
from salitrap.lab.draws import Draw
from salitrap.lab.request import Ask
from salitrap.lab.tasks.margin import margin_of
from salitrap.lab.tasks.solve import behaviour_mix
from salitrap.records import Language, Status
from tests.cli.helpers import config, salitrap

SOLVER = "solver-a"
ATTACKS = ("HF", "CoT", "SC")
FELL = (Status.CERTIFIED, Status.ATTACK_UNNATURAL)
SPREADS = 3.29
"""Half width of a 99.9 % band in standard deviations."""

JUDGE_ERRORS = 0.04
"""Share of answers that the planted errors of the judge may move (judge_wrong_notices, judge_loose_quote)."""

Shares = dict[str, list[tuple[float, bool]]]


def implied(prompt: str, language: Language) -> float:
    """Probability of an attack on ``prompt``, from the planted parameters alone."""
    ask = Ask(SOLVER, language, prompt, "", None, {}, Draw(0), 0)
    mix = behaviour_mix(SOLVER, margin_of(ask))
    return sum(mix[kind] for kind in ATTACKS)


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Shares:
    """Implied probability and outcome of every seed's own prompt that was answered, by dimension."""
    folder = tmp_path_factory.mktemp("planted")
    path = config(
        folder / "c.yaml",
        targets="{default: {en: 14, zh: 14}}",
        refine="{max_candidates: 1, max_expansions: 1, generator_rounds: 0}",
    )
    for stage in ("scale", "refine"):
        done = salitrap(stage, "-c", path, "--yes", "--run", folder / "run")
        assert done.returncode in (0, 3), done.stderr
    found: Shares = defaultdict(list)
    with closing(Registry.open_reader(folder / "run" / "registry.sqlite")) as registry:
        for seed in active_seeds(registry):
            for node in nodes_of(registry, seed.seed_id):
                if node.judgement is not None and node.judgement.label is not None:
                    fell = node.decision.status in FELL
                    found[seed.dimension_tag].append((implied(node.candidate.prompt, seed.language), fell))
    return found


@pytest.mark.parametrize("dimension", ["D1", "D2", "D3", "D4"])
def test_as_many_certify_as_the_planted_solver_implies(shares: Shares, dimension: str) -> None:
    cases = shares[dimension]
    assert len(cases) >= 20
    expected = sum(chance for chance, _ in cases)
    spread = math.sqrt(sum(chance * (1.0 - chance) for chance, _ in cases))
    certified = sum(fell for _, fell in cases)
    assert abs(certified - expected) <= SPREADS * spread + JUDGE_ERRORS * len(cases)


def test_the_test_could_fail(shares: Shares) -> None:
    """A solver without margin or ability is outside the band over all dimensions together."""
    cases = [case for held in shares.values() for case in held]
    spread = math.sqrt(sum(chance * (1.0 - chance) for chance, _ in cases))
    certified = sum(fell for _, fell in cases)
    for wrong in (0.25, 0.9):
        assert abs(certified - wrong * len(cases)) > SPREADS * spread + JUDGE_ERRORS * len(cases)

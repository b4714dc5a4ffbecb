"""The plan of a run: what depends on which setting, and how far it is from a real run on the lab."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from curation.estimates import plan_refine
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.whole_plan import plan_run
from salitrap.plan import RolePlan
from salitrap.providers.money.spend import RoleSpend
from salitrap.providers.open import open_access
from salitrap.records import Language, Role, Stage
from salitrap.settings import EndpointSettings, Policy, RoleSettings, Settings
from seeds import load_domains
from tests.curation.world import settings

LAB = {
    Role.GENERATOR: ("generator",),
    Role.WRITER: ("writer",),
    Role.CHECKER: ("checker",),
    Role.JUDGE: ("judge",),
    Role.SOLVER: ("solver-a", "solver-b"),
}
Measured = dict[tuple[Stage, Role], RoleSpend]


def lab_settings() -> Settings:
    """Nine seeds in one cell (one of them generated) and two in another."""
    roles = {
        role: RoleSettings(
            endpoints=tuple(EndpointSettings(spec=f"lab/{name}") for name in names),
            policy=Policy.ROUND_ROBIN if role is Role.SOLVER else Policy.FAILOVER,
            max_tokens=4000,
        )
        for role, names in LAB.items()
    }
    none = dict.fromkeys(Language, 0)
    targets = {
        "default": none,
        "D1": {Language.EN: 9, Language.ZH: 0},
        "D3": {Language.EN: 0, Language.ZH: 2},
    }
    return Settings(name="small", targets=targets, roles=roles)


def measured(directory: Path, chosen: Settings) -> Measured:
    """What each stage used for each role in a real run on the lab."""

    async def run() -> Measured:
        used: Measured = {}
        before: dict[Role, RoleSpend] = {}
        with open_run(directory, chosen, load_domains(chosen.domains)) as opened:
            async with open_access(chosen, opened.layout.journal, environment={}) as access:
                for stage in STAGES:
                    await run_stages(opened, access, (stage,), Silence())
                    after = access.spend().by_role
                    for role, spend in after.items():
                        used[stage, role] = _minus(spend, before.get(role, RoleSpend()))
                    before = after
        return {key: spend for key, spend in used.items() if spend.calls}

    return asyncio.run(run())


def _minus(after: RoleSpend, before: RoleSpend) -> RoleSpend:
    return RoleSpend(
        calls=after.calls - before.calls,
        input_tokens=after.input_tokens - before.input_tokens,
        output_tokens=after.output_tokens - before.output_tokens,
    )


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return measured(tmp_path_factory.mktemp("lab") / "run", lab_settings())


@pytest.fixture(scope="module")
def planned() -> dict[tuple[Stage, Role], RolePlan]:
    chosen = lab_settings()
    return {(one.stage, one.role): one for one in plan_run(chosen, load_domains(chosen.domains)).roles}


def test_a_real_run_needs_the_planned_calls_in_every_stage_and_role(
    used: Measured, planned: dict[tuple[Stage, Role], RolePlan]
) -> None:
    assert set(used) == set(planned)
    for key, spend in used.items():
        plan = planned[key]
        assert plan.calls_low <= spend.calls <= plan.calls_high, (key, spend, plan)


def test_its_tokens_lie_in_the_planned_range(
    used: Measured, planned: dict[tuple[Stage, Role], RolePlan]
) -> None:
    for key, spend in used.items():
        plan = planned[key]
        assert plan.input_low <= spend.input_tokens <= plan.input_high, (key, spend, plan)
        assert spend.output_tokens <= plan.output_high, (key, spend, plan)


def test_tokens_of_a_call_are_those_of_the_real_messages(
    used: Measured, planned: dict[tuple[Stage, Role], RolePlan]
) -> None:
    """Ranges over calls are wide; what a single call takes must be close."""
    for key, spend in used.items():
        plan = planned[key]
        a_call, most = spend.input_tokens / spend.calls, plan.input_high / plan.calls_high
        assert 0.4 * most <= a_call <= most, (key, a_call, most)


def test_a_search_that_may_end_early_plans_no_exploration_for_sure() -> None:
    def generator(**refine: int) -> tuple[int, int]:
        plan = plan_refine(settings(1, refine=refine), seeds=10)
        found = next(one for one in plan.roles if one.role is Role.GENERATOR)
        return found.calls_low, found.calls_high

    assert generator() == (20, 20)
    assert generator(top_k=1) == (0, 20)
    assert generator(max_candidates=3) == (0, 20)
    assert generator(max_expansions=3) == (0, 20)


def test_a_search_of_one_candidate_rewrites_nothing() -> None:
    """It planned a writer's call a seed, which no search without room for a second candidate makes."""
    alone = {"max_candidates": 1, "max_expansions": 5}
    planned = {one.role for one in plan_refine(settings(1, refine=alone), seeds=4).roles}
    assert planned == {Role.CHECKER, Role.SOLVER, Role.JUDGE}


def test_calls_at_once_follow_seeds_and_workers() -> None:
    def at_once(seeds: int, workers: int) -> dict[Role, int | None]:
        chosen = settings(1, limits={"seeds_in_flight": workers})
        return {one.role: one.at_once for one in plan_refine(chosen, seeds=seeds).roles}

    assert at_once(100, 4)[Role.WRITER] == 4
    assert at_once(2, 32)[Role.WRITER] == 2
    assert at_once(100, 4)[Role.CHECKER] == 12

"""Runs that a panel judges: every vote is kept, and disagreements are listed for a person."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from curation.directory import Layout
from curation.estimates import plan_certify, plan_refine
from curation.programs import default_programs
from curation.registry import Registry
from curation.registry.queries import disputed
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.status import status_of
from salitrap.records import Judgement, LabelStatus, Role
from salitrap.settings import EndpointSettings, Policy, RoleSettings, Settings
from tests.curation.world import JournaledAccess, World, domain, settings

JUDGES = RoleSettings(
    endpoints=tuple(EndpointSettings(spec=f"openai/{name}@http://127.0.0.1:9/v1") for name in "abc"),
    policy=Policy.ROUND_ROBIN,
)


class OfThreeMinds(World):
    """Each judge reads for itself."""

    def asks(self, role: Role, prompt_id: str, inputs: Mapping[str, Any], slot: int, repeat: int) -> Any:
        if role is Role.JUDGE:
            return self._judge(inputs, f"{slot} {inputs['answer']}", repeat)
        return super().asks(role, prompt_id, inputs, slot, repeat)


def judged_by_three() -> Settings:
    one = settings(3)
    roles = {**one.roles, Role.JUDGE: JUDGES}
    return Settings.model_validate(
        {**one.model_dump(), "roles": roles, "judging": {"panel": "all"}, "certify": {"repeats": 3}}
    )


def run(directory: Path, given: Settings, world: World) -> list[Judgement]:
    """Run all stages; return every judgement."""

    async def stages() -> None:
        with open_run(directory, given, (domain("D1"),), default_programs(given)) as opened:
            await run_stages(opened, JournaledAccess(world, {}), STAGES, Silence())

    asyncio.run(stages())
    with closing(Registry.open_reader(Layout(directory).registry)) as registry:
        rows = registry.connection.execute("SELECT record FROM judgements").fetchall()
    return [Judgement.model_validate_json(record) for (record,) in rows]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("panel")
    assert run(directory, judged_by_three(), OfThreeMinds())
    return directory


def test_every_vote_of_every_answer_is_in_the_registry(folder: Path) -> None:
    every = run(folder, judged_by_three(), OfThreeMinds())
    judged = [one for one in every if one.status in (LabelStatus.OK, LabelStatus.JUDGE_UNRESOLVED)]
    assert judged
    for one in judged:
        assert [vote.judge for vote in one.votes] == ["openai/a", "openai/b", "openai/c"]
        labels = [vote.label for vote in one.votes if vote.label]
        most = max((labels.count(label) for label in labels), default=0)
        assert one.agreement == most / 3
        assert (one.label is not None) == (most >= 2)
        if one.label is not None:
            assert labels.count(one.label) == most


def test_the_queue_holds_what_the_judges_disagree_on_and_status_counts_it(folder: Path) -> None:
    with closing(Registry.open_reader(Layout(folder).registry)) as registry:
        listed = list(disputed(registry))
    every = run(folder, judged_by_three(), OfThreeMinds())
    wanted = {(one.candidate_id, one.repeat) for one in every if one.disputed}
    assert {(one.candidate_id, one.repeat) for one in listed} == wanted
    assert 0 < len(listed) < len(every)
    assert status_of(folder).disputed == len(listed)


def test_a_single_judge_leaves_nothing_to_settle(tmp_path: Path) -> None:
    every = run(tmp_path, settings(3), World())
    assert every and all(one.votes == () and one.agreement is None for one in every)
    assert status_of(tmp_path).disputed == 0


def test_a_plan_counts_every_judge() -> None:
    """A panel of three was planned at the price of one."""
    one, three = settings(3), judged_by_three().model_copy(update={"certify": settings(3).certify})
    for plan in (plan_refine, plan_certify):
        single, panel = (
            next(entry for entry in plan(given, 4).roles if entry.role is Role.JUDGE)
            for given in (one, three)
        )
        assert panel.calls_high == 3 * single.calls_high
        assert panel.calls_low == 3 * single.calls_low

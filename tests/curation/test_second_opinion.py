"""Runs keep what the rules say beside the judge, and count where they differ."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from curation.directory import Layout
from curation.programs import default_programs
from curation.registry import Registry
from curation.registry.doubts import doubted
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.status import status_of
from salitrap.records import Judgement, Label, Role
from salitrap.settings import EndpointSettings, JudgingSettings, RoleSettings, Settings
from tests.curation.world import JournaledAccess, World, domain, settings


def run(directory: Path, given: Settings) -> tuple[World, list[Judgement]]:
    """Run all stages; return who was asked, and every judgement."""
    world = World()

    async def stages() -> None:
        with open_run(directory, given, (domain("D1"),), default_programs(given)) as opened:
            await run_stages(opened, JournaledAccess(world, {}), STAGES, Silence())

    asyncio.run(stages())
    with closing(Registry.open_reader(Layout(directory).registry)) as registry:
        rows = registry.connection.execute("SELECT record FROM judgements").fetchall()
    return world, [Judgement.model_validate_json(record) for (record,) in rows]


@pytest.fixture(scope="module")
def seconded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Judgement]]:
    directory = tmp_path_factory.mktemp("seconded") / "run"
    return directory, run(directory, settings(3))[1]


def test_every_label_of_a_model_has_a_second_opinion_where_the_rules_decide(
    seconded: tuple[Path, list[Judgement]],
) -> None:
    labelled = [one for one in seconded[1] if one.label is not None]
    assert labelled
    assert sum(one.second_label is not None for one in labelled) > len(labelled) / 2
    assert all(one.second_label is None for one in seconded[1] if one.label is None)


def test_status_counts_what_the_queue_holds(seconded: tuple[Path, list[Judgement]]) -> None:
    directory, judgements = seconded
    with closing(Registry.open_reader(Layout(directory).registry)) as registry:
        queue = list(doubted(registry))
    report = status_of(directory)
    assert report.doubted == len(queue) > 0
    assert report.completed_passes == sum(
        one.label is Label.PASS and one.second_label not in (Label.PASS, Label.REFUSAL) for one in queue
    )
    assert {(one.candidate_id, one.repeat) for one in queue} == {
        (one.candidate_id, one.repeat) for one in judgements if one.doubted
    }


def test_without_second_opinions_the_labels_are_the_same_and_nothing_is_doubted(
    seconded: tuple[Path, list[Judgement]], tmp_path: Path
) -> None:
    given = settings(3).model_copy(update={"judging": JudgingSettings(second_opinion=False)})
    alone = run(tmp_path / "run", given)[1]
    assert status_of(tmp_path / "run").doubted == 0
    plain = [one.model_copy(update={"second_label": None}) for one in seconded[1]]
    assert plain == alone


def test_a_run_can_be_judged_by_rules_without_any_call_to_a_judge(tmp_path: Path) -> None:
    one = settings(3)
    pool = RoleSettings(endpoints=(EndpointSettings(spec="rules"),))
    given = one.model_copy(update={"roles": {**one.roles, Role.JUDGE: pool}})
    judgements = run(tmp_path / "run", given)[1]
    assert judgements
    assert {found.provenance.model for found in judgements if found.provenance} == {"rules"}
    assert any(found.label is not None for found in judgements)
    assert status_of(tmp_path / "run").doubted == 0

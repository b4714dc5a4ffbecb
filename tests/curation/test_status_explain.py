"""What is told of a run comes from its registry and nothing else."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curation.explain import explain
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.status import settings_of, status_of
from salitrap.errors import InputError, RunDirectoryError
from salitrap.records import Fault, Stage
from tests.curation.rows import view
from tests.curation.world import JournaledAccess, World, domain, programs, settings

DOMAINS = (domain("D1"), domain("D2", (11, 52)))


class Heard(Silence):
    """A reporter that remembers."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def stage_started(self, stage: Stage, total: int) -> None:
        self.told.append(("started", stage, total))

    def advanced(self, stage: Stage, done: int, counts: Any) -> None:
        self.told.append(("advanced", stage, done))

    def finished(self, stage: Stage) -> None:
        self.told.append(("finished", stage))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("run")

    async def run() -> None:
        with open_run(directory, settings(), DOMAINS, programs()) as opened:
            await run_stages(opened, JournaledAccess(World(failing=0.03), {}), STAGES, Silence())

    asyncio.run(run())
    return directory


async def test_progress_is_told_from_start_to_end(tmp_path: Path) -> None:
    heard = Heard()
    with open_run(tmp_path, settings(), DOMAINS, programs()) as opened:
        await run_stages(opened, JournaledAccess(World(), {}), STAGES, heard)
    for stage in STAGES:
        told = [one for one in heard.told if one[1] is stage]
        (_, _, total), *advances, last = told
        assert told[0][0] == "started" and last == ("finished", stage)
        assert [done for _, _, done in advances] == sorted(done for _, _, done in advances)
        assert advances[-1][2] == total


async def test_a_run_under_way_can_be_looked_at(tmp_path: Path) -> None:
    looked = list[Any]()

    class Looking(Silence):
        def advanced(self, stage: Stage, done: int, counts: Any) -> None:
            looked.append(status_of(tmp_path))

    with open_run(tmp_path, settings(), DOMAINS, programs()) as opened:
        await run_stages(opened, JournaledAccess(World(), {}), STAGES, Looking())
    assert all(report.running is not None for report in looked)
    assert all(report.funnel_faults == () for report in looked)
    assert not looked[0].finished


def test_cells_and_stages_are_counted(finished: Path) -> None:
    report = status_of(finished)
    assert [(cell.dimension_tag, cell.experts, cell.target) for cell in report.cells] == [
        ("D1", 3, 6),
        ("D2", 2, 6),
    ]
    assert sum(cell.experts + cell.generated for cell in report.cells) == report.funnel.seeds.active
    assert [stage.stage for stage in report.stages] == list(STAGES)
    assert settings_of(finished) == settings()
    json.dumps(report.model_dump(mode="json"))


def test_looking_writes_nothing(finished: Path) -> None:
    before = {path.name: path.read_bytes() for path in finished.iterdir() if "sqlite-" not in path.name}
    status_of(finished)
    explain(finished, view(finished)["items"][0][0])
    after = {path.name: path.read_bytes() for path in finished.iterdir() if "sqlite-" not in path.name}
    assert after == before


def test_status_needs_none_of_the_heavy_libraries() -> None:
    code = (
        "import sys, curation.status, curation.explain;"
        "print([name for name in ('dspy', 'openai', 'numpy', 'datasets') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_an_item_is_explained_from_c0_to_its_repeats(finished: Path) -> None:
    for row in view(finished)["items"]:
        told = explain(finished, row[0])
        assert told.item is not None and told.item.item_id == row[0]
        assert told.lineage[0].candidate.parent_id is None
        assert told.lineage[-1].candidate.prompt == told.item.prompt
        for parent, child in zip(told.lineage, told.lineage[1:], strict=False):
            assert child.candidate.parent_id == parent.candidate_id
        assert told.stability is not None and told.stability.stable
        assert [judgement.label for judgement in told.judgements] == list(told.stability.labels)
        assert told.seed is not None and told.seed.seed_id == told.item.seed_id


def test_a_discarded_candidate_has_its_reason(finished: Path) -> None:
    rows = view(finished)["decisions"]
    discarded = next(row[0] for row in rows if row[3] == "discarded")
    told = explain(finished, discarded)
    assert told.decision is not None and told.decision.fault is not None
    assert told.item is None and told.answers == ()


def test_a_seed_and_a_rejected_draft_are_explained_too(finished: Path) -> None:
    rows = view(finished)
    told = explain(finished, rows["seeds"][0][0])
    assert [node.candidate.ordinal for node in told.lineage] == list(range(len(told.lineage)))
    rejected = next(row for row in rows["rejections"] if row[4] != Fault.CALL_FAILED)
    found = explain(finished, rejected[1])
    assert found.rejection is not None or found.seed is not None


def test_a_short_id_will_do_and_an_ambiguous_one_will_not(finished: Path) -> None:
    item = view(finished)["items"][0][0]
    assert explain(finished, item[:14]).subject_id == item
    with pytest.raises(InputError, match="more of the identifier"):
        explain(finished, "item-")
    with pytest.raises(InputError, match="no item"):
        explain(finished, "item-zzzz")
    with pytest.raises(InputError, match="no item"):
        explain(finished, "item-' OR 1=1 --")


def test_a_folder_without_a_run_is_said_to_be_none(tmp_path: Path) -> None:
    for ask in (status_of, settings_of, lambda path: explain(path, "item-1")):
        with pytest.raises(RunDirectoryError, match="no run here"):
            ask(tmp_path)

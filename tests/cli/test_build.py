"""``salitrap build`` and the version that stands in its way."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from curation.directory import Layout, read_revisions
from curation.funnel import funnel_of
from curation.registry import Registry
from curation.registry.queries import items
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from exports.dataset import read_manifest
from exports.from_run import facts_of
from salitrap.records import Language, Stage, Status
from tests.cli.helpers import only_line, tree
from tests.cli.in_process import Inside
from tests.curation.world import QUOTE, JournaledAccess, World, domain, programs, settings


def test_a_version_is_built_again_only_with_the_same_bytes(
    inside: Inside, directory: Path, tmp_path: Path
) -> None:
    """``build`` replaced a version by another dataset of the same number, or of a lower one."""
    out = tmp_path / "ds"
    place = ("build", directory, "--out", out, "--name", "Named")
    assert inside(*place, "--version", "0.2.0", "--license", "mit").code == 0
    before = tree(out)
    assert inside(*place, "--version", "0.2.0", "--license", "mit").code == 0
    for version, license in (("0.2.0", "isc"), ("0.1.0", "mit")):
        told = inside(*place, "--version", version, "--license", license)
        assert told.code == 2
        assert "holds version 0.2.0" in only_line(told.err)
        assert "such as 0.3.0" in told.err
    assert tree(out) == before
    assert inside(*place, "--version", "0.3.0", "--license", "isc").code == 0
    assert read_manifest(out).version == "0.3.0"


def test_what_cannot_be_released_is_refused_in_one_line(
    inside: Inside, directory: Path, tmp_path: Path
) -> None:
    place = ("build", directory, "--out", tmp_path / "ds")
    zero = inside(*place, "--version", "0.0.0", "--license", "mit")
    mistyped = inside(*place, "--version", "1.0.0", "--license", "cc-by-4")
    assert (zero.code, mistyped.code) == (2, 2)
    assert "begin with 0.1.0" in only_line(zero.err)
    assert "did you mean 'cc-by-4.0'?" in only_line(mistyped.err)
    assert not (tmp_path / "ds").exists()


def test_another_license_is_built_with_a_notice(inside: Inside, directory: Path, tmp_path: Path) -> None:
    told = inside("build", directory, "--out", tmp_path / "ds", "--version", "1.0.0", "--license", "other")
    assert told.code == 0
    assert "note: license 'other'" in told.err


def finished(directory: Path, world: World, stages: tuple[Stage, ...] = STAGES, **changes: Any) -> Path:
    """A run of a few seeds over ``world``."""

    async def run() -> None:
        with open_run(directory, settings(3, **changes), (domain("D1"),), programs()) as opened:
            await run_stages(opened, JournaledAccess(world, {}), stages, Silence())

    asyncio.run(run())
    return directory


class Judging(World):
    """A world in which the models that check and judge fail from some repeat on."""

    def __init__(self, fails_from: int) -> None:
        super().__init__()
        self.fails_from = fails_from

    def asks(self, role: Any, prompt_id: str, inputs: Any, slot: int, repeat: int) -> Any:
        self.failing = float(repeat >= self.fails_from)
        return super().asks(role, prompt_id, inputs, slot, repeat)


@pytest.mark.parametrize("fails_from", [0, 1])
def test_a_run_whose_calls_failed_is_not_told_to_run_a_stage_that_had_run(
    inside: Inside, tmp_path: Path, fails_from: int
) -> None:
    """``build`` said to run the certify stage first, after it had run; both stages are tried here."""
    run = finished(tmp_path / "run", Judging(fails_from))
    registry = Registry.open_reader(run / "registry.sqlite")
    counted = funnel_of(registry).candidates
    registry.close()
    assert counted.count(Status.UNSETTLED)
    assert counted.unsettled_reason in ("truncated: cut at the token limit", "no reply in time")
    told = inside("build", run, "--out", tmp_path / "ds", "--version", "1.0.0", "--license", "mit")
    assert told.code == 2
    line = only_line(told.err)
    assert f"no item is stable: {counted.count(Status.UNSETTLED)} of {counted.written} candidates" in line
    assert f"mostly: {counted.unsettled_reason}; repeat the run" in line
    assert "rejects.jsonl" in line
    assert "certify" not in line


def test_a_stage_that_did_not_run_is_named(inside: Inside, tmp_path: Path) -> None:
    place = ("--out", tmp_path / "ds", "--version", "1.0.0", "--license", "mit")
    scaled = finished(tmp_path / "a", World(), (Stage.SCALE,))
    refined = finished(tmp_path / "b", World(), (Stage.SCALE, Stage.REFINE), refine={"max_candidates": 2})
    assert "run the refine stage first" in only_line(inside("build", scaled, *place).err)
    assert "run the certify stage first" in only_line(inside("build", refined, *place).err)


def test_a_run_whose_candidates_were_all_seen_through_says_so(inside: Inside, tmp_path: Path) -> None:
    class Keen(World):
        def _judge(self, inputs: Any, told: str, repeat: int) -> Any:
            flags = {"completes_task": False, "refuses": True, "explains": True, "patches": False}
            return {"notices": "early", **flags, "quote": QUOTE, "reason": "judged"}

    run = finished(tmp_path / "run", Keen())
    told = inside("build", run, "--out", tmp_path / "ds", "--version", "1.0.0", "--license", "mit")
    assert told.code == 2
    assert "no item is stable: of " in only_line(told.err)
    assert "0 were certified" in told.err


@pytest.mark.parametrize("languages", [(Language.ZH,), (Language.EN,), (Language.EN, Language.ZH)])
def test_dimensions_have_names_in_the_language_of_the_items(
    directory: Path, languages: tuple[Language, ...]
) -> None:
    """The card of an all-Chinese dataset had English names of dimensions."""
    revision = read_revisions(Layout(directory))[-1]
    fact = revision.domains["D1"].model_copy(update={"name": {Language.EN: "Missing", Language.ZH: "缺失"}})
    revision = revision.model_copy(update={"domains": {"D1": fact}})
    registry = Registry.open_reader(directory / "registry.sqlite")
    one, *_ = items(registry)
    held = [one.model_copy(update={"language": language}) for language in languages]
    named = facts_of(revision, funnel_of(registry), held).dimensions["D1"]
    registry.close()
    assert named == ("缺失" if languages == (Language.ZH,) else "Missing")


def test_families_that_are_kept_back_go_to_a_folder_of_their_own(inside: Inside, tmp_path: Path) -> None:
    run, public, private = tmp_path / "run", tmp_path / "ds", tmp_path / "holdout"
    given = settings(8, build={"dev_share": 0.0, "holdout_share": 0.4})

    async def made() -> None:
        with open_run(run, given, (domain("D1"), domain("D2")), programs()) as opened:
            await run_stages(opened, JournaledAccess(World(), {}), STAGES, Silence())

    asyncio.run(made())
    place = ("build", run, "--out", public, "--version", "1.0.0", "--license", "mit")
    assert "give --holdout with a folder" in only_line(inside(*place).err)
    told = inside(*place, "--holdout", private)
    assert told.code == 0 and "went to the private holdout" in told.out
    lines = [(folder / "jsonl/items/test.jsonl").read_text().splitlines() for folder in (public, private)]
    families = [{json.loads(line)["seed_id"] for line in held} for held in lines]
    assert families[0] and families[1] and not families[0] & families[1]
    with closing(Registry.open_reader(Layout(run).registry)) as registry:
        assert sum(map(len, lines)) == sum(1 for _ in items(registry))
    assert read_manifest(private).is_holdout and not read_manifest(public).is_holdout
    again = inside(
        "build", run, "--out", public, "--version", "1.1.0", "--license", "mit", "--holdout", private
    )
    assert again.code == 0 and "## 1.0.0" in (private / "CHANGELOG.md").read_text()

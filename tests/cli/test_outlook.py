"""What ``run`` and ``plan --run`` say about a run that goes on with something changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.changing import Given, Outlook, differs, outlook_of
from curation.changing.differences import differences
from prompts.lock import current_hashes
from salitrap.cli.changes import journal_lines, tell_changes
from salitrap.records import Language, Role, Stage
from salitrap.settings import Settings, load_settings
from tests.cli.helpers import config, only_line, tree
from tests.cli.in_process import Inside
from tests.curation.world import domain, settings

LAST = settings(30, scale={"empty_waves": 1}, refine={"max_candidates": 4})


def given(now: Settings) -> Given:
    return Given(now, (domain("D1"),), current_hashes())


def found(directory: Path, now: Settings) -> Outlook:
    seen = outlook_of(directory, given(now))
    assert seen is not None
    return seen


def test_changed_settings_are_listed_one_by_one() -> None:
    before = settings(2)
    now = settings(1, budget={"calls": 9}, refine={"top_k": 2})
    assert {f"{one.name}: {one.before} -> {one.now}" for one in differences(before, now)} == {
        "targets.default.en: 2 -> 1",
        "budget.calls: nothing -> 9",
        "refine.top_k: 5 -> 2",
    }
    assert list(differences(before, before)) == []


def test_an_endpoint_more_is_one_difference_not_one_for_each_of_its_defaults() -> None:
    dumped = settings().model_dump(mode="json")
    dumped["roles"]["judge"]["endpoints"].append({"spec": "openai/b", "in_flight": 3})
    (one,) = differences(settings(), Settings.model_validate(dumped))
    assert one.name == "roles.judge.endpoints"
    assert one.now == f"{one.before}, openai/b"


def test_a_run_that_goes_on_with_other_settings_says_so_first(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Smaller targets gave fewer items without a word about it."""
    assert not differs(directory, given(LAST))
    tell_changes(found(directory, LAST))
    assert capsys.readouterr().err == ""
    now = LAST.model_copy(update={"targets": {"default": {Language.EN: 2}}})
    assert differs(directory, given(now))
    tell_changes(found(directory, now))
    first, *more, last = capsys.readouterr().err.splitlines()
    assert first.startswith(
        "changed since revision 1: targets.default.en: 30 -> 2: seeds are added or set aside"
    )
    assert more[:3] == [f"{stage}: 2 seeds stay as they are" for stage in ("scale", "refine", "certify")]
    assert more[3:] == ["still to be paid: nothing"]
    assert "replies in its journal are kept" in last


def test_each_changed_setting_has_its_consequence(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = LAST.model_copy(
        update={
            "limits": LAST.limits.model_copy(update={"seeds_in_flight": 3, "attempts": 4}),
            "certify": LAST.certify.model_copy(update={"repeats": 6}),
        }
    )
    seen = found(directory, now)
    tell_changes(seen)
    lines = capsys.readouterr().err.splitlines()
    start = "changed since revision 1: "
    assert all(line.startswith(start) for line in lines[:3])
    assert sorted(line.removeprefix(start) for line in lines[:3]) == [
        "certify.repeats: 5 -> 6: stability is decided anew: repeats that are there serve, only missing ones "
        "are asked for",
        "limits.attempts: 40 -> 4: only patience with failing calls: nothing is done again",
        "limits.seeds_in_flight: nothing -> 3: only speed: nothing is done again",
    ]
    by_stage = {stage.stage: stage for stage in seen.stages}
    assert by_stage[Stage.REFINE].anew == 0
    assert by_stage[Stage.CERTIFY].stays == 0
    assert by_stage[Stage.CERTIFY].anew == by_stage[Stage.REFINE].stays > 0


def test_a_new_run_has_nothing_to_compare_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert outlook_of(tmp_path / "none", given(settings())) is None
    assert not differs(tmp_path / "none", given(settings()))
    tell_changes(None)
    assert capsys.readouterr().err == ""


def test_a_run_that_stopped_before_its_registry_is_planned_whole(directory: Path) -> None:
    (directory / "registry.sqlite").unlink()
    assert found(directory, LAST).plan.calls_high > 0


def lab_run(inside: Inside, folder: Path) -> Path:
    path = config(folder / "c.yaml", targets="{default: {en: 0, zh: 0}, D1: {en: 1, zh: 0}}")
    assert inside("run", "-c", path, "--run", folder / "run").code == 0
    return path


def contents(folder: Path) -> dict[str, str]:
    """Hashes of the files of a run, but for those that SQLite needs to read."""
    return {name: value for name, value in tree(folder).items() if not name.endswith(("-shm", "-wal"))}


def test_plan_with_a_run_shows_what_is_left_and_writes_nothing(inside: Inside, tmp_path: Path) -> None:
    path = lab_run(inside, tmp_path)
    before = contents(tmp_path / "run")
    same = inside("plan", "-c", path, "--run", tmp_path / "run")
    assert "changed since" not in same.out
    assert "still to be paid: nothing" in same.out
    assert inside("plan", "-c", path).out != same.out
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "certify: {repeats: 6}\nlimits: {attempts: 3}\n", encoding="utf-8")
    shown = inside("plan", "-c", path, "--run", tmp_path / "run")
    assert shown.out.count("changed since revision 1: ") == 2
    assert "serve and are not paid again" in shown.out
    told = json.loads(inside("plan", "-c", path, "--run", tmp_path / "run", "--json").out)
    assert [change["name"] for change in told["run"]["changes"]] == ["limits.attempts", "certify.repeats"]
    assert told["run"]["stages"][2]["anew"] == 1
    assert {row["stage"] for row in told["roles"]} == {"certify"}
    assert contents(tmp_path / "run") == before


def test_plan_refuses_a_directory_without_a_run(inside: Inside, tmp_path: Path) -> None:
    told = inside("plan", "-c", config(tmp_path / "c.yaml"), "--run", tmp_path / "none")
    assert told.code == 2
    assert "no run here" in only_line(told.err)


def test_replies_asked_for_in_another_way_are_counted_apart(inside: Inside, tmp_path: Path) -> None:
    """An evaluation with another temperature was told that the replies in its journal are not paid again."""
    path = lab_run(inside, tmp_path)
    now = load_settings(path)
    journal = tmp_path / "run" / "journal.sqlite"
    (same,) = journal_lines(journal, now)
    assert "have their reply and will not be paid again." in same
    solver = now.roles[Role.SOLVER].model_copy(update={"temperature": 0.7})
    (other,) = journal_lines(journal, now.model_copy(update={"roles": {**now.roles, Role.SOLVER: solver}}))
    assert "were asked for in another way and cannot serve" in other
    assert list(journal_lines(tmp_path / "none", now)) == list(journal_lines(None, now)) == []


def test_a_run_with_nothing_left_is_known(directory: Path) -> None:
    assert found(directory, LAST).idle
    assert not found(directory, LAST.model_copy(update={"random_seed": 3})).idle

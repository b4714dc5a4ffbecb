"""``salitrap publish``, ``fetch``, ``verify``, and every command that takes a release, upon our own Hub."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.helpers import command
from tests.cli.in_process import Inside
from tests.exports.conftest import Build, build, out
from tests.exports.hub.samples import REPO
from tests.exports.samples import certified, many
from tests.hub.client import RunningHub
from tests.hub.conftest import hub, shared_hub

__all__ = ["build", "hub", "out", "shared_hub"]

RELEASE = f"{REPO}@v1.0.0"


@pytest.fixture
def folder(build: Build) -> Path:
    return build(many(30)).path


def test_a_dry_run_prints_every_operation_and_sends_nothing(
    hub: RunningHub, folder: Path, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    told = inside("publish", folder, REPO, "--dry-run", "--gated", "manual")
    lines = told.out.splitlines()
    assert lines[0] == f"To publish {RELEASE}, in this order:"
    assert [line.split(" org")[0].strip() for line in lines[1:3]] == ["create repository", "set gate"]
    assert lines[-1].strip().startswith("tag v1.0.0") and any(
        "upload README.md (new, " in one for one in lines
    )
    assert told.code == 0 and hub.repo(REPO) is None
    plan = json.loads(inside("publish", folder, REPO, "--dry-run", "--json").out)
    assert plan["operations"][-1]["action"] == "tag" and "files" not in plan


def test_publish_verify_fetch(hub: RunningHub, folder: Path, inside: Inside, tmp_path: Path) -> None:
    told = inside("publish", folder, REPO, "--yes", "--json")
    sha = json.loads(told.out)["sha"]
    assert told.code == 0 and hub.repo(REPO)["tags"] == {"v1.0.0": sha}
    again = inside("publish", folder, REPO, "--yes")
    assert again.code == 0 and "Nothing to do" in again.out
    assert json.loads(inside("verify", RELEASE, "--json").out)["sha"] == sha
    assert "sound" in inside("verify", RELEASE).err
    copied = inside("fetch", RELEASE, "--out", tmp_path / "copy", "--json")
    assert json.loads(copied.out)["sha"] == sha
    assert inside("verify", tmp_path / "copy").code == 0


def test_a_moved_tag_is_a_finding(
    hub: RunningHub, folder: Path, build: Build, inside: Inside, tmp_path: Path
) -> None:
    second = build(many(32), version="1.1.0", out=tmp_path / "two", previous=folder).path
    for one in (folder, second):
        assert inside("publish", one, REPO, "--yes").code == 0
    hub.admin("move_tag", repo=REPO, tag="v1.0.0", to="v1.1.0")
    told = inside("verify", RELEASE)
    assert told.code == 1 and "the tag was moved" in told.out


def test_commands_take_a_release_in_place_of_a_folder(
    hub: RunningHub, folder: Path, inside: Inside, tmp_path: Path
) -> None:
    inside("publish", folder, REPO, "--yes")
    lab = ("--model", "lab/solver-a", "--judge", "lab/judge", "--limit", "2", "--yes")
    told = inside("eval", RELEASE, *lab, "--out", tmp_path / "a.jsonl")
    assert told.code == 0, told.err
    assert f"{RELEASE} is commit {hub.repo(REPO)['head']}, verified" in told.err
    inside("eval", folder, *lab, "--out", tmp_path / "b.jsonl")
    rows = [json.loads((tmp_path / name).read_text().splitlines()[0]) for name in ("a.jsonl", "b.jsonl")]
    assert rows[0]["dataset_revision"] == rows[1]["dataset_revision"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fetch", "org/traps"), "names no version"),
        (("fetch", "org/traps@main"), "'main' is no version"),
        (("fetch", RELEASE), "not found on the Hub"),
        (("verify", RELEASE), "not found on the Hub"),
        (("publish", "FOLDER", "traps", "--yes"), "no repository name"),
        (("publish", "nowhere", REPO, "--yes"), "no such folder"),
        (("eval", RELEASE, "--model=lab/a", "--judge=lab/judge", "--out=x.jsonl"), "not found on the Hub"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(
    hub: RunningHub, folder: Path, inside: Inside, tmp_path: Path, arguments: tuple[str, ...], words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    told = inside(*(folder if one == "FOLDER" else one for one in arguments))
    assert told.code == 2 and words in told.err
    assert told.err.strip().count("\n") == 0 and "Traceback" not in told.err


def test_no_token_is_one_line_before_anything_is_asked(
    hub: RunningHub, folder: Path, inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    told = inside("publish", folder, REPO, "--yes")
    assert told.code == 2 and "HF_TOKEN" in told.err and hub.log() == []


def test_simulated_content_says_so_in_the_first_line(hub: RunningHub, build: Build, inside: Inside) -> None:
    made = build([certified(number, simulated=True) for number in range(4)]).path
    refused = inside("publish", made, REPO, "--yes")
    assert refused.code == 2 and "--allow-simulated" in refused.err and hub.log() == []
    plan = inside("publish", made, REPO, "--dry-run", "--allow-simulated")
    assert plan.out.startswith("SIMULATED DATA")
    done = inside("publish", made, REPO, "--yes", "--allow-simulated")
    assert done.code == 0 and done.out.startswith("SIMULATED DATA") and done.err.startswith("SIMULATED DATA")


def test_the_token_is_printed_nowhere(hub: RunningHub, folder: Path, inside: Inside) -> None:
    hub.fault("POST", "/commit/", status=403)
    for told in (
        inside("publish", folder, REPO, "--yes"),
        inside("publish", folder, REPO, "--yes", "--json"),
    ):
        assert "hf_writer" not in told.out + told.err


def test_nobody_to_ask_is_said(hub: RunningHub, folder: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        command("publish", folder, REPO),
        env=hub.environment(tmp_path / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "--yes" in done.stderr and hub.repo(REPO) is None


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_between_commit_and_tag(
    hub: RunningHub, folder: Path, inside: Inside, tmp_path: Path, how: signal.Signals
) -> None:
    hub.fault("POST", "/tag/", hold=True, cut="before")
    arguments = command("publish", folder, REPO, "--yes")
    with subprocess.Popen(
        arguments, env=hub.environment(tmp_path / "home"), stderr=subprocess.DEVNULL
    ) as process:
        assert hub.admin("wait", seconds=60)
        process.send_signal(how)
        code = process.wait(30)
    hub.admin("release")
    held = hub.repo(REPO)
    assert code == (-9 if how is signal.SIGKILL else 3)
    assert held["tags"] == {} and held["titles"][-1] == "Version 1.0.0"
    assert inside("fetch", RELEASE, "--out", tmp_path / "copy").code == 2
    assert inside("publish", folder, REPO, "--yes").code == 0
    after = hub.repo(REPO)
    assert after["titles"] == held["titles"] and after["tags"] == {"v1.0.0": held["head"]}

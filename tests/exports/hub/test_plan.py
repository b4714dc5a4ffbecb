"""What a publication will do, decided on what both sides hold."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from exports.dataset.layout import CARD, MANIFEST
from exports.hub.local import read_local
from exports.hub.options import PublishOptions
from exports.hub.plan import Action, made_plan
from exports.hub.remote import Remote, RemoteFile
from salitrap.errors import InputError
from tests.exports.conftest import Build
from tests.exports.hub.samples import PLAIN, REPO, local_of, remote_of, snapshot
from tests.exports.samples import certified, many

TAG, SHA, OTHER = "v1.0.0", "a" * 40, "b" * 40


def kinds(plan: object) -> list[Action]:
    return [one.action for one in plan.operations]  # type: ignore[attr-defined]


def test_a_new_repository_is_made_filled_compared_and_tagged(build: Build) -> None:
    local = local_of(build)
    plan = made_plan(local, Remote(repo=REPO), PublishOptions(private=True, gated="manual"), None)
    uploads = plan.targets(Action.UPLOAD)
    assert set(uploads) == set(local.files) and plan.parent is None
    assert [one for one in kinds(plan) if one is not Action.UPLOAD] == [
        Action.CREATE_REPO, Action.SET_GATE, Action.COMMIT, Action.VERIFY, Action.TAG,
    ]  # fmt: skip
    assert plan.operations[0].detail == "private"


def test_a_release_that_is_there_leaves_nothing_to_do(build: Build) -> None:
    local = local_of(build)
    remote = remote_of(local.files, tags={TAG: SHA}, released=snapshot(local.files))
    assert made_plan(local, remote, PLAIN, snapshot(local.files)).operations == ()


def test_notes_written_since_are_no_other_content(build: Build) -> None:
    local = local_of(build)
    there = {**local.files, CARD: local.files[CARD] + b"\nNotes since.\n"}
    remote = remote_of(there, OTHER, tags={TAG: SHA}, released=snapshot(local.files))
    assert made_plan(local, remote, PLAIN, snapshot(local.files)).operations == ()


def test_a_tag_is_never_moved(build: Build, tmp_path: Path) -> None:
    local = local_of(build)
    build(many(9), out=tmp_path / "other")
    other = read_local(tmp_path / "other", PLAIN)
    remote = remote_of(local.files, tags={TAG: SHA}, released=snapshot(local.files))
    with pytest.raises(InputError, match="never moved"):
        made_plan(other, remote, PLAIN, snapshot(local.files))


def test_a_commit_without_its_tag_gets_the_tag_and_nothing_else(build: Build) -> None:
    local = local_of(build)
    plan = made_plan(local, remote_of(local.files), PLAIN, None)
    assert kinds(plan) == [Action.VERIFY, Action.TAG] and plan.parent == SHA


def test_an_earlier_half_release_is_healed_first(build: Build, out: Path, tmp_path: Path) -> None:
    first = local_of(build)
    build(many(10), version="1.1.0", out=tmp_path / "next", previous=out)
    plan = made_plan(read_local(tmp_path / "next", PLAIN), remote_of(first.files), PLAIN, None)
    assert plan.targets(Action.TAG_HALF_RELEASE) == ("v1.0.0",) and plan.half is not None
    assert plan.targets(Action.TAG) == ("v1.1.0",)


def test_files_of_the_version_before_go_and_those_of_others_stay(
    build: Build, out: Path, tmp_path: Path
) -> None:
    build(many(40))
    first = read_local(out, PLAIN)
    build(many(41), version="1.1.0", out=tmp_path / "next", previous=out, dev_share=0.0)
    there = {**first.files, "picture.png": b"x", ".gitattributes": b""}
    remote = remote_of(there, tags={TAG: SHA}, released=snapshot(first.files))
    plan = made_plan(read_local(tmp_path / "next", PLAIN), remote, PLAIN, None)
    assert set(plan.targets(Action.DELETE)) == {
        "data/items/dev-00000-of-00001.parquet", "jsonl/items/dev.jsonl",
    }  # fmt: skip
    assert any("1 files of other hands" in notice and "picture.png" in notice for notice in plan.notices)


def test_what_is_the_same_is_not_sent_again(build: Build, out: Path, tmp_path: Path) -> None:
    first = local_of(build)
    held = {
        path: RemoteFile(size=len(content), digest=hashlib.sha256(content).hexdigest(), is_large=True)
        for path, content in first.files.items()
    }
    remote = remote_of(first.files, tags={TAG: SHA}, released=snapshot(first.files))
    remote = remote.model_copy(update={"files": held})
    build(many(8), version="1.0.1", out=tmp_path / "next", previous=out)
    plan = made_plan(read_local(tmp_path / "next", PLAIN), remote, PLAIN, None)
    versioned = {"eval.yaml", "harness/release.json", "harness/lm_eval/items.yaml"}
    assert set(plan.targets(Action.UPLOAD)) == {CARD, "CHANGELOG.md", MANIFEST} | versioned


def test_a_version_that_is_not_higher_is_refused(build: Build, out: Path, tmp_path: Path) -> None:
    build(many(8), version="1.1.0")
    newer = read_local(out, PLAIN)
    build(many(8), version="1.0.9", out=tmp_path / "older")
    remote = remote_of(newer.files, tags={"v1.1.0": SHA}, released=snapshot(newer.files))
    with pytest.raises(InputError, match=r"holds version 1\.1\.0, and 1\.0\.9 is not higher"):
        made_plan(read_local(tmp_path / "older", PLAIN), remote, PLAIN, None)


def test_a_version_without_those_before_it_is_refused(build: Build, tmp_path: Path) -> None:
    first = local_of(build)
    build(many(9), version="1.1.0", out=tmp_path / "next")
    remote = remote_of(first.files, tags={TAG: SHA}, released=snapshot(first.files))
    with pytest.raises(InputError, match=r"fetch org/traps@v1\.0\.0, then build with --previous"):
        made_plan(read_local(tmp_path / "next", PLAIN), remote, PLAIN, None)


def test_another_dataset_in_the_repository_is_refused(build: Build, tmp_path: Path) -> None:
    first = local_of(build)
    build(many(9), name="Other", version="2.0.0", out=tmp_path / "other")
    with pytest.raises(InputError, match="holds the dataset 'SaliTrap'"):
        made_plan(read_local(tmp_path / "other", PLAIN), remote_of(first.files), PLAIN, None)


class TestFolders:
    def test_simulated_content_needs_a_word(self, build: Build) -> None:
        path = build([certified(0, simulated=True)]).path
        with pytest.raises(InputError, match="--allow-simulated"):
            read_local(path, PLAIN)
        assert read_local(path, PublishOptions(allow_simulated=True)).manifest.simulated

    def test_a_damaged_folder_is_refused(self, build: Build, out: Path) -> None:
        build()
        (out / "jsonl/items/test.jsonl").write_bytes(b"")
        with pytest.raises(InputError, match="nothing was sent"):
            read_local(out, PLAIN)

    def test_no_folder_and_no_dataset(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such folder"):
            read_local(tmp_path / "none", PLAIN)
        with pytest.raises(InputError, match=r"manifest\.json"):
            read_local(tmp_path, PLAIN)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ('"license": "cc-by-4.0"', '"license": ""', "no license"),
            ('"items": {', '"it/ems": {', "configuration 'it/ems'"),
            ('"test": {', '"hard-test": {', "split 'hard-test'"),
        ],
    )
    def test_a_manifest_that_was_changed_by_hand(
        self, build: Build, out: Path, old: str, new: str, words: str
    ) -> None:
        build()
        path = out / MANIFEST
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(InputError, match=words):
            read_local(out, PLAIN)

"""One commit, one tag, read back; whatever breaks off, nothing is half visible and the next publish heals."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from exports.dataset.card import NOTES_LINE
from exports.dataset.layout import CARD
from exports.hub import PublishOptions, PublishPlan, plan_publication, publish
from exports.hub.plan import Action
from salitrap.errors import EndpointUnavailable, InputError, RateLimited, SalitrapError, StoppedError
from tests.exports.conftest import Build
from tests.exports.hub.conftest import Send
from tests.exports.hub.samples import REPO
from tests.exports.samples import certified, many
from tests.hub.client import RunningHub

WRITES = ("POST", "PUT", "DELETE", "PATCH")


def sha256_of(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }


def writes(hub: RunningHub) -> list[str]:
    """Requests that change something; checks of the card and listings of paths do not."""
    harmless = ("validate-yaml", "paths-info", "preupload", "lfs/objects/batch", "_lfs_verify")
    return [one for one in hub.log() if one.startswith(WRITES) and not any(part in one for part in harmless)]


def test_two_versions_are_two_commits_with_a_tag_each(
    hub: RunningHub, send: Send, first: Path, second: Path
) -> None:
    one, two = send(first), send(second)
    held = hub.repo(REPO)
    assert held["titles"] == ["initial commit", "Version 1.0.0", "Version 1.1.0"]
    assert held["tags"] == {"v1.0.0": one.sha, "v1.1.0": two.sha} and held["head"] == two.sha
    assert {path: digest for path, digest in held["files"].items() if path != ".gitattributes"} == sha256_of(
        second
    )
    assert (one.changed, two.changed, two.simulated) == (True, True, False)


def test_publishing_twice_changes_nothing(hub: RunningHub, send: Send, first: Path, second: Path) -> None:
    send(first)
    send(second)
    before, count = hub.repo(REPO), len(writes(hub))
    again = send(second)
    assert not again.changed and again.sha == before["head"]
    assert hub.repo(REPO) == before and len(writes(hub)) == count
    older = send(first)
    assert not older.changed and older.sha == before["tags"]["v1.0.0"]


def test_a_plan_sends_nothing_and_needs_no_token(
    hub: RunningHub, send: Send, first: Path, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(first)
    count = len(writes(hub))
    monkeypatch.delenv("HF_TOKEN")
    plan = plan_publication(second, REPO, PublishOptions())
    assert plan.targets(Action.TAG) == ("v1.1.0",) and "CHANGELOG.md" in plan.targets(Action.UPLOAD)
    assert len(writes(hub)) == count


def test_a_no_sends_nothing(hub: RunningHub, first: Path) -> None:
    assert publish(first, REPO, PublishOptions(), lambda _: False) is None
    assert hub.repo(REPO) is None and writes(hub) == []


class TestOthersCommit:
    def test_between_reading_and_committing(
        self, hub: RunningHub, send: Send, first: Path, second: Path
    ) -> None:
        send(first)
        hub.fault("POST", "/commit/", foreign="theirs.txt")
        done = send(second)
        held = hub.repo(REPO)
        assert held["titles"][-2:] == ["by somebody else", "Version 1.1.0"]
        assert "theirs.txt" in held["files"] and held["tags"]["v1.1.0"] == done.sha

    def test_again_and_again(self, hub: RunningHub, send: Send, first: Path, second: Path) -> None:
        send(first)
        hub.fault("POST", "/commit/", status=412, count=99)
        with pytest.raises(StoppedError, match="others committed 4 times"):
            send(second)
        assert set(hub.repo(REPO)["tags"]) == {"v1.0.0"} and hub.repo(REPO)["titles"][-1] == "Version 1.0.0"

    def test_a_plan_that_comes_out_differently_is_shown_again(
        self, hub: RunningHub, send: Send, first: Path, second: Path
    ) -> None:
        send(first)
        hub.fault("POST", "/commit/", foreign="theirs.txt")
        shown: list[PublishPlan] = []
        publish(second, REPO, PublishOptions(), lambda plan: shown.append(plan) is None)
        assert len(shown) == 2 and shown[0].operations != shown[1].operations

    def test_notes_on_the_card_stay(self, hub: RunningHub, send: Send, first: Path, second: Path) -> None:
        send(first)
        card = (first / CARD).read_text(encoding="utf-8")
        hub.admin("commit", repo=REPO, files={CARD: card + "\nSeen by 社区.\n"})
        done = send(second)
        held = hub.repo(REPO)
        expected = (second / CARD).read_text(encoding="utf-8").partition(NOTES_LINE)[0]
        merged = f"{expected}{NOTES_LINE}\n\nSeen by 社区.\n"
        assert held["files"][CARD] == hashlib.sha256(merged.encode()).hexdigest()
        assert not send(second).changed and hub.repo(REPO)["head"] == done.sha


class TestRights:
    @pytest.mark.parametrize("token", ["hf_reader", "hf_fine_other", "hf_stranger", "hf_nobody"])
    @pytest.mark.parametrize("there", [False, True])
    def test_without_the_right_nothing_is_sent(
        self,
        hub: RunningHub,
        first: Path,
        send: Send,
        monkeypatch: pytest.MonkeyPatch,
        token: str,
        there: bool,
    ) -> None:
        if there:
            hub.admin("make", repo=REPO)
        monkeypatch.setenv("HF_TOKEN", token)
        with pytest.raises(InputError, match=r"token|account"):
            send(first)
        assert writes(hub) == []

    def test_a_fine_grained_token_of_the_repository_does(
        self, hub: RunningHub, first: Path, send: Send, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hub.admin("make", repo=REPO)
        monkeypatch.setenv("HF_TOKEN", "hf_fine")
        assert send(first).changed

    def test_no_token_at_all(
        self, hub: RunningHub, first: Path, send: Send, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("HF_TOKEN")
        with pytest.raises(InputError, match="no token"):
            send(first)
        assert hub.log() == []

    def test_403_at_the_commit_is_bounded_and_names_the_token(
        self, hub: RunningHub, send: Send, first: Path
    ) -> None:
        hub.fault("POST", "/commit/", status=403, count=99)
        with pytest.raises(InputError, match="may not write"):
            send(first)
        assert hub.repo(REPO)["tags"] == {} and hub.repo(REPO)["titles"] == ["initial commit"]
        assert sum("/commit/" in one for one in hub.log()) == 1


class TestGates:
    def test_the_gate_is_shut_before_the_content_comes(
        self, hub: RunningHub, send: Send, first: Path
    ) -> None:
        send(first, gated="manual", private=True)
        log = hub.log()
        places = [next(i for i, one in enumerate(log) if part in one) for part in ("/settings", "/commit/")]
        assert places == sorted(places)
        assert (hub.repo(REPO)["gated"], hub.repo(REPO)["private"]) == ("manual", True)

    def test_a_gate_stays_unless_told_otherwise(
        self, hub: RunningHub, send: Send, first: Path, second: Path
    ) -> None:
        send(first, gated="auto")
        send(second)
        assert hub.repo(REPO)["gated"] == "auto"
        assert sum("/settings" in one for one in hub.log()) == 1


class TestInterruptions:
    """Each of these leaves either no version or a whole one, and the same command ends the work."""

    @pytest.mark.parametrize("cut", ["before", "after"])
    @pytest.mark.parametrize("where", ["/repos/create", "/commit/", "/tag/"])
    def test_a_connection_that_breaks_off_at_any_write(
        self, hub: RunningHub, send: Send, first: Path, where: str, cut: str
    ) -> None:
        hub.fault("POST", where, cut=cut)
        with pytest.raises(SalitrapError):
            send(first)
        held = hub.repo(REPO)
        assert held is None or set(held["tags"].values()) <= {held["head"]}
        if held is not None and held["tags"]:
            assert "manifest.json" in held["files"]
        hub.admin("clear_faults")
        done = send(first)
        held = hub.repo(REPO)
        assert held["titles"] == ["initial commit", "Version 1.0.0"]
        assert held["tags"] == {"v1.0.0": held["head"]} and done.sha == held["head"]

    def test_a_file_that_cannot_be_sent(self, hub: RunningHub, send: Send, first: Path) -> None:
        hub.fault("PUT", "/_lfs/", status=403)
        with pytest.raises(InputError, match="may not write"):
            send(first)
        assert hub.repo(REPO)["titles"] == ["initial commit"] and hub.repo(REPO)["tags"] == {}
        assert send(first).changed

    @pytest.mark.parametrize("status", [500, 503])
    def test_trouble_of_the_hub_stops_and_goes_on(
        self, hub: RunningHub, send: Send, first: Path, status: int
    ) -> None:
        hub.fault("POST", "/commit/", status=status)
        with pytest.raises(EndpointUnavailable, match="in trouble"):
            send(first)
        assert hub.repo(REPO)["tags"] == {}
        assert send(first).changed

    def test_429_when_the_repository_is_made(self, hub: RunningHub, send: Send, first: Path) -> None:
        hub.fault("POST", "/repos/create", status=429)
        with pytest.raises(RateLimited, match="asks to wait"):
            send(first)
        assert hub.repo(REPO) is None

    def test_a_truncated_download_while_comparing(self, hub: RunningHub, send: Send, first: Path) -> None:
        hub.fault("GET", r"/resolve/[0-9a-f]{40}/data/", truncate=20, count=9)
        with pytest.raises(EndpointUnavailable):
            send(first)
        assert hub.repo(REPO)["tags"] == {}
        hub.admin("clear_faults")
        done = send(first)
        assert hub.repo(REPO)["titles"] == ["initial commit", "Version 1.0.0"]
        assert hub.repo(REPO)["tags"] == {"v1.0.0": done.sha}

    def test_bytes_that_the_hub_changed_get_no_tag(self, hub: RunningHub, send: Send, first: Path) -> None:
        parquet = next(iter(first.glob("data/items/*.parquet"))).read_bytes()
        hub.fault("POST", "/commit/", corrupt=hashlib.sha256(parquet).hexdigest())
        with pytest.raises(SalitrapError, match="other bytes than were sent"):
            send(first)
        assert hub.repo(REPO)["tags"] == {}

    def test_a_half_release_is_healed_by_the_next_version(
        self, hub: RunningHub, send: Send, first: Path, second: Path
    ) -> None:
        hub.fault("POST", "/tag/", status=500)
        with pytest.raises(EndpointUnavailable):
            send(first)
        half = hub.repo(REPO)["head"]
        done = send(second)
        assert hub.repo(REPO)["tags"] == {"v1.0.0": half, "v1.1.0": done.sha}
        assert any("v1.0.0 had been committed and not tagged" in notice for notice in done.notices)

    def test_a_tag_that_somebody_else_made_is_not_moved(
        self, hub: RunningHub, send: Send, first: Path
    ) -> None:
        hub.admin("make", repo=REPO)
        hub.fault("POST", "/tag/", foreign_tag="v1.0.0")
        elsewhere = hub.repo(REPO)["head"]
        with pytest.raises(InputError, match="somebody else made it"):
            send(first)
        assert hub.repo(REPO)["tags"] == {"v1.0.0": elsewhere}


class TestSimulated:
    def test_it_needs_a_word(self, hub: RunningHub, build: Build, send: Send) -> None:
        folder = build([certified(number, simulated=True) for number in range(4)]).path
        with pytest.raises(InputError, match="--allow-simulated"):
            send(folder)
        assert hub.log() == []
        assert send(folder, allow_simulated=True).simulated


def test_other_content_under_a_version_that_is_out_is_refused(
    hub: RunningHub, send: Send, first: Path, build: Build, tmp_path: Path
) -> None:
    send(first)
    before = hub.repo(REPO)
    with pytest.raises(InputError, match="never moved"):
        send(build(many(31), out=tmp_path / "other").path)
    assert hub.repo(REPO) == before

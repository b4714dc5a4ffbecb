"""``salitrap review`` as a command: address, lock, Ctrl-C, gold file."""

from __future__ import annotations

import json
import signal
import socket
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from checkers.gold import load_gold
from curation.registry import Registry
from curation.review import Desk
from curation.status import settings_of
from salitrap.records import Label, Status
from tests.cli.helpers import config, only_line, salitrap
from tests.cli.in_process import Inside
from tests.cli.reviewing import review
from tests.curation.review.runs import ids


def found_at(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=20) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_on_this_machine_alone_until_it_is_stopped(directory: Path, number: signal.Signals) -> None:
    with review(directory, "--reviewer", "Ana") as served:
        assert served.url.startswith(f"http://127.0.0.1:{served.port}/enter?token=")
        assert found_at(served.url) == 200
        assert found_at(f"http://127.0.0.1:{served.port}/") == 403
        with closing(socket.socket(socket.AF_INET6)) as other:
            assert other.connect_ex(("::1", served.port)) != 0
        code, told = served.end(number)
    assert (code, only_line(told)) == (0, "Review ended; everything you said is saved.")


def test_a_run_says_who_holds_its_directory(directory: Path, tmp_path: Path) -> None:
    with review(directory) as served:
        told = salitrap("run", "-c", config(tmp_path / "c.yaml"), "--run", directory, "--yes")
        pid = served.process.pid
        assert told.returncode == 2
        assert f"in use by process {pid} (salitrap review); wait for it" in told.stderr
        with review(directory) as second:
            assert found_at(second.url) == 200
            code, told_second = second.end()
        assert code == 0 and f"read only, since process {pid} is working" in told_second


def test_a_port_that_is_taken(directory: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = salitrap("review", directory, "--no-browser", "--port", port)
    assert told.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in only_line(told.stderr)


@pytest.mark.parametrize("name", ["", "x" * 61, "a\u202eb"])
def test_a_name_that_cannot_be_used(inside: Inside, directory: Path, name: str) -> None:
    told = inside("review", directory, "--no-browser", "--reviewer", name or " ")
    assert (told.code, told.out) == (2, "")
    assert "give another --reviewer" in told.err


def test_where_there_is_no_run(inside: Inside, tmp_path: Path) -> None:
    told = inside("review", tmp_path / "nothing", "--no-browser")
    assert told.code == 2 and "no run here" in only_line(told.err)


def test_labels_are_written_to_a_gold_file(inside: Inside, directory: Path, tmp_path: Path) -> None:
    told = inside("review", directory, "--export-gold", tmp_path / "gold.jsonl")
    assert told.code == 2 and "nobody has labelled" in told.err
    with closing(Registry.open(directory / "registry.sqlite")) as registry:
        answered = [*ids(registry, Status.STABLE), *ids(registry, Status.NATURAL_OBVIOUS)][0]
        Desk(registry, settings_of(directory), "Ana").label(answered, 0, Label.PASS)
    told = inside("review", directory, "--export-gold", tmp_path / "gold.jsonl", "--json")
    assert (told.code, json.loads(told.out)["labels"]) == (0, 1)
    (line,) = (tmp_path / "gold.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["labelled_by"] == "Ana"
    gold = load_gold([tmp_path / "gold.jsonl"])
    assert [answer.label for answer in gold.answers] == [Label.PASS]

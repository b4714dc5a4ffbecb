"""``calls`` reads the journal of a run or an evaluation: lines, sums, and one call in full."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from salitrap.providers.journal.store import Journal
from salitrap.records import Outcome, Role
from tests.cli.helpers import command, environment, tree
from tests.cli.in_process import Inside, Told
from tests.providers.journal.test_journal import row

A, B, C = "a" * 64, "ab" + "0" * 62, "c" * 64
OPENAI = "https://api.openai.com/v1"
MARKUP = "[red]not markup[/red] \x1b[31mnot a colour\x07 水 [/]"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run directory with three calls: one tried twice, one of a priced model, one unparsed."""
    directory = tmp_path / "run"
    directory.mkdir()
    journal = Journal(directory / "journal.sqlite")
    solver = {"role": Role.SOLVER, "model": "openai/gpt-5-mini", "endpoint": OPENAI}
    messages = json.dumps([{"role": "user", "content": MARKUP}])
    first = {**solver, "messages": messages, "sampling": '{"temperature":0.2}'}
    day = "2030-01-0{}T00:00:0{}.000+00:00"
    journal.add(
        row(A, **first, outcome=Outcome.API_ERROR, detail="HTTP 500: boom", final=False, text="",
            charged_input=0, charged_output=0, input_tokens=None, started_at=day.format(1, 1))
    )  # fmt: skip
    journal.add(
        row(A, **first, text=MARKUP, reasoning="I think", raw='{"id":"x"}', input_tokens=1_000,
            charged_input=1_000_000, charged_output=0, attempt=2, started_at=day.format(1, 2))
    )  # fmt: skip
    journal.add(
        row(B, model="openai/local@http://127.0.0.1:8000/v1", outcome=Outcome.UNPARSABLE,
            prompt="truth@1/en", started_at=day.format(2, 1))
    )  # fmt: skip
    journal.add(row(C, **{**solver, "role": Role.JUDGE}, settled=False, started_at=day.format(2, 2)))
    journal.close()
    return directory


def listed(inside: Inside, *arguments: object) -> dict[str, Any]:
    told = inside("calls", *arguments, "--json")
    assert told.code == 0, told.err
    loaded: dict[str, Any] = json.loads(told.out)
    return loaded


def only_error(told: Told) -> str:
    assert told.code == 2
    assert told.out == ""
    (line,) = told.err.strip().splitlines()
    return line


@pytest.mark.parametrize("name", ["journal.sqlite", "labels.jsonl.journal.sqlite"])
def test_a_journal_with_nothing_in_it_yet_says_so(inside: Inside, tmp_path: Path, name: str) -> None:
    """It was called "not a SaliTrap journal", or "no journal here"."""
    (tmp_path / name).touch()
    told = inside("calls", tmp_path / name)
    assert told.code == 0 and "nothing was recorded yet" in told.out
    assert listed(inside, tmp_path / name)["calls"] == []


def test_one_line_a_call_newest_first_and_sums(inside: Inside, run: Path) -> None:
    told = inside("calls", run)
    lines = told.out.splitlines()
    assert lines[0].split() == ["time", "role", "model", "outcome", "n", "in", "out", "USD", "s", "key"]
    assert lines[1] == "2030-01-02"
    assert lines[2].split()[:4] == ["00:00:02", "judge", "gpt-5-mini", "ok?"]
    assert lines[3].split() == [
        "00:00:01", "checker", "local", "unparsable", "1", "3", "-", "?", "0.0", B[:8],
    ]  # fmt: skip
    assert lines[4] == "2030-01-01"
    assert lines[5].split() == [
        "00:00:02", "solver", "gpt-5-mini", "ok", "2", "1,000", "-", "0.250", "0.0", A[:8],
    ]  # fmt: skip
    sums = [line.split()[:4] for line in lines if line.startswith(("checker", "solver", "judge"))]
    assert sums == [
        ["checker", "unparsable", "1", "1"],
        ["solver", "ok", "1", "2"],
        ["judge", "ok", "1", "1"],
    ]
    assert "Cost unknown: no price for openai/local." in told.out
    assert "USD from the price table (prices of 2025-11-13)." in told.out


def test_filters_and_a_limit_that_sums_do_not_see(inside: Inside, run: Path) -> None:
    def keys(*arguments: object) -> list[str]:
        return [call["key"] for call in listed(inside, run, *arguments)["calls"]]

    assert keys() == [C, B, A]
    assert keys("--role", "solver") == [A]
    assert keys("--outcome", "unparsable") == [B]
    assert keys("--outcome", "api_error") == []
    assert keys("--model", "GPT-5") == [C, A]
    assert keys("--model", "%") == []
    limited = listed(inside, run, "--limit", 1)
    assert [call["key"] for call in limited["calls"]] == [C]
    assert (limited["matching"], sum(sums["calls"] for sums in limited["totals"])) == (3, 3)
    assert len(listed(inside, run, "--limit", 0)["calls"]) == 3
    assert listed(inside, run, "--role", "checker")["totals"][0]["usd"] is None


def test_a_filter_that_names_nothing_known_says_what_there_is(inside: Inside, run: Path) -> None:
    assert "generator, writer" in only_error(inside("calls", run, "--role", "judges"))
    assert "timeout" in only_error(inside("calls", run, "--outcome", "time-out"))


def test_one_call_in_full_and_nothing_in_it_is_markup(inside: Inside, run: Path) -> None:
    told = inside("calls", run, "--show", "aa")
    safe = MARKUP.replace("\x1b", "\\x1b").replace("\x07", "\\x07")
    assert told.out.count(safe) == 2
    assert "\x1b" not in told.out
    for words in (A, "HTTP 500: boom", "I think", '{"id":"x"}', '"temperature": 0.2', OPENAI):
        assert words in told.out
    assert told.out.index("api_error") < told.out.index(": ok,")


def test_one_call_in_full_has_its_price_and_what_came_from_a_cache(inside: Inside, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.add(
        row(A, input_tokens=1_000, cached_input=800, price_input=0.25, price_output=2.0, price_cached=0.025)
    )
    journal.close()
    told = inside("calls", tmp_path / "journal.sqlite", "--show", A).out
    assert "tokens 1,000 in (800 from the provider's cache), - out" in told
    assert "price: 0.25 in, 2 out, USD a million" in told


def test_a_key_may_be_cut_short_as_long_as_it_is_one(inside: Inside, run: Path) -> None:
    assert "2 keys begin with 'a'" in only_error(inside("calls", run, "--show", "a"))
    assert "begins with 'f'" in only_error(inside("calls", run, "--show", "f"))
    assert "begins with '%'" in only_error(inside("calls", run, "--show", "%"))
    only_error(inside("calls", run, "--show", ""))
    shown = json.loads(inside("calls", run, "--show", "ab", "--json").out)
    assert [attempt["prompt"] for attempt in shown["attempts"]] == ["truth@1/en"]
    assert shown["conversation"] == [B]


def test_re_asks_of_a_question_are_named(inside: Inside, run: Path) -> None:
    journal = Journal(run / "journal.sqlite")
    journal.add(row("d" * 64, ask_key=B))
    journal.close()
    assert f"conversation: {B[:8]}, dddddddd" in inside("calls", run, "--show", "dd").out


def test_a_label_file_and_a_journal_are_found_too(inside: Inside, run: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    (tmp_path / "labels.jsonl.journal.sqlite").write_bytes((run / "journal.sqlite").read_bytes())
    before = listed(inside, labels)
    labels.write_text("{}\n", encoding="utf-8")
    assert listed(inside, labels) == before
    assert listed(inside, run / "journal.sqlite")["calls"] == before["calls"]


def test_reading_changes_nothing_and_makes_nothing(inside: Inside, run: Path, tmp_path: Path) -> None:
    """SQLite leaves two helper files beside a journal that it was only asked to read."""
    before = tree(run)
    inside("calls", run)
    inside("calls", run, "--show", "c")
    assert tree(run) == before
    for wrong in (tmp_path / "nowhere", tmp_path, tmp_path / "labels.jsonl"):
        assert "no journal here" in only_error(inside("calls", wrong))
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_what_is_no_journal_is_said(inside: Inside, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "journal.sqlite").write_bytes(b"SQLite format 3\x00 and then something else")
    assert "journal.sqlite" in only_error(inside("calls", folder))


def test_a_journal_that_is_being_written_can_be_read(inside: Inside, run: Path) -> None:
    journal = Journal(run / "journal.sqlite")
    journal.add(row("e" * 64))
    assert listed(inside, run)["matching"] == 4
    journal.close()


@pytest.mark.parametrize("columns", ["80", "120"])
def test_lines_fit_the_screen(
    inside: Inside, run: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    journal = Journal(run / "journal.sqlite")
    journal.add(row("f" * 64, model="openai/a-model-with-quite-a-long-name-" + "x" * 80))
    journal.close()
    monkeypatch.setenv("COLUMNS", columns)
    lines = [line for line in inside("calls", run).out.splitlines() if "Cost unknown" not in line]
    assert max(map(len, lines)) <= int(columns)
    assert any("a-model-" in line and "…" in line for line in lines)


def test_a_reader_that_leaves_early_is_no_failure(run: Path) -> None:
    journal = Journal(run / "journal.sqlite")
    for number in range(3000):
        journal.add(row(f"{number:064x}"))
    journal.close()
    reader = subprocess.Popen(
        command("calls", run, "--limit", 0), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert reader.stdout is not None and reader.stderr is not None
    assert reader.stdout.readline().startswith(b"time")
    reader.stdout.close()
    told = reader.stderr.read()
    reader.stderr.close()
    assert (reader.wait(60), told) == (0, b"")

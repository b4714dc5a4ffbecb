"""``status`` and ``show``: nothing that went wrong looks like an end, and reading needs no right to write."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from curation.explain import explain
from curation.run import open_run
from curation.status import status_of
from salitrap.cli.journal_state import JournalState, journal_of
from salitrap.errors import RunDirectoryError
from salitrap.providers.journal.store import Journal
from tests.cli.in_process import Inside
from tests.curation.rows import count, view
from tests.curation.world import domain, programs, settings

NOBODY = 65534


def test_a_cell_that_fell_short_is_told_with_its_commonest_reason(inside: Inside, directory: Path) -> None:
    """``All stages are done`` was all that was said of it."""
    report = json.loads(inside("status", directory, "--json").out)
    assert (report["finished"], report["complete"]) == (True, False)
    (short,) = report["shortfalls"]
    faults = json.loads(directory.joinpath("rejects.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert short["end"] == "exhausted"
    assert short["rejects"] == count(directory, "SELECT COUNT(*) FROM rejections WHERE stage = 'scale'")
    top = "SELECT COUNT(*) FROM rejections WHERE stage = 'scale' GROUP BY fault ORDER BY 1 DESC LIMIT 1"
    assert short["reason_count"] == count(directory, top)
    assert faults["stage"] == "scale"
    text = inside("status", directory).out
    told = f"{short['reason_count']} of {short['rejects']} rejects: {short['reason']}"
    assert f"Short: D1 en has {short['accepted']} of 30 seeds, exhausted ({told})" in text
    assert "All stages are done, but 1 cell fell short of the target" in text


def remove(directory: Path) -> None:
    (directory / "journal.sqlite").unlink()


def begin_anew(directory: Path) -> None:
    """What a further run makes of a deleted journal: an empty one."""
    remove(directory)
    Journal(directory / "journal.sqlite").close()


@pytest.mark.parametrize("lose", [remove, begin_anew])
def test_a_lost_journal_is_noticed_and_its_figures_are_null(
    inside: Inside, directory: Path, lose: Any
) -> None:
    """It went unnoticed: calls 0, and a simulated run that said ``simulated: false``."""
    lose(directory)
    report = json.loads(inside("status", directory, "--json").out)
    assert report["journal"] == "missing"
    assert {"calls", "usd", "simulated"} <= set(report["spend"])
    assert set(report["spend"].values()) == {None}
    text = inside("status", directory).out
    assert "is missing" in text
    assert "would be paid again" in text
    assert "Spend:" not in text


def test_a_run_that_has_not_called_anybody_lacks_no_journal(tmp_path: Path) -> None:
    with open_run(tmp_path, settings(), (domain("D1"),), programs()):
        pass
    assert journal_of(tmp_path) == (JournalState.NOT_STARTED, None)


def test_a_journal_that_was_killed_before_its_first_table_is_not_foreign(
    inside: Inside, tmp_path: Path
) -> None:
    """It was called "not a SaliTrap journal"."""
    with open_run(tmp_path, settings(), (domain("D1"),), programs()):
        pass
    (tmp_path / "journal.sqlite").touch()
    told = inside("status", tmp_path)
    assert told.code == 0 and "No call was recorded yet." in told.out
    assert json.loads(inside("status", tmp_path, "--json").out)["journal"] == "not_started"


@contextmanager
def unwritable(directory: Path) -> Iterator[Path]:
    """A copy that this process may read and not write to, also when root runs the tests."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    shutil.copytree(directory, folder / "run")
    folder.chmod(0o755)
    for path in (folder / "run").iterdir():
        path.chmod(0o444)
    (folder / "run").chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield folder / "run"
    finally:
        if root:
            os.setresuid(0, 0, 0)
        (folder / "run").chmod(0o755)
        shutil.rmtree(folder)


def read_all(directory: Path, item: str) -> tuple[Any, ...]:
    """Everything but the name of the directory."""
    report = status_of(directory).model_dump(exclude={"directory"})
    return report, journal_of(directory), explain(directory, item)


@pytest.mark.parametrize("helpers", [True, False], ids=["with helper files", "without helper files"])
def test_a_directory_without_the_right_to_write_can_be_read(directory: Path, helpers: bool) -> None:
    """SQLite makes two files beside a database in WAL mode even to read it; where it cannot, it failed."""
    wanted = read_all(directory, view(directory)["items"][0][0])
    for path in directory.glob("*.sqlite-*"):
        if not helpers:
            path.unlink()
    names = sorted(os.listdir(directory))
    with unwritable(directory) as copy:
        assert read_all(copy, wanted[2].subject_id) == wanted
        assert sorted(os.listdir(copy)) == names


def test_rows_that_cannot_be_read_there_are_not_left_out_in_silence(directory: Path) -> None:
    for path in directory.glob("*.sqlite-*"):
        path.unlink()
    (directory / "registry.sqlite-wal").write_bytes(b"rows that were never merged")
    with (
        unwritable(directory) as copy,
        pytest.raises(RunDirectoryError, match="look at the copy"),
    ):
        status_of(copy)


def test_show_takes_an_id_without_its_prefix_and_cut_short(inside: Inside, directory: Path) -> None:
    rows = view(directory)
    for table, column in (("items", 0), ("candidates", 0)):
        full = rows[table][0][column]
        for short in (full, full[:16], full.partition("-")[2], full.partition("-")[2][:14]):
            told = inside("show", short, "--run", directory, "--json")
            assert told.code == 0, told.err
            assert json.loads(told.out)["subject_id"] == full


def test_show_lists_what_an_ambiguous_id_could_mean(inside: Inside, directory: Path) -> None:
    rows = view(directory)["candidates"]
    told = inside("show", "cand-", "--run", directory)
    assert told.code == 2
    assert min(row[0] for row in rows) in told.err
    assert f"{len(rows) - 6} more" in told.err

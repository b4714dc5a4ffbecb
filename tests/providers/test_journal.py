from __future__ import annotations

import sqlite3

import pytest

from salitrap.errors import DiskFull, RunDirectoryError
from salitrap.providers.journal.schema import MIGRATIONS
from salitrap.providers.journal.store import Journal, Row
from salitrap.records import Outcome, Role


def row(key="k", **more):
    values = dict(
        key=key,
        ask_key=key,
        role=Role.CHECKER,
        model="openai/m",
        endpoint="http://h/v1",
        messages="[]",
        sampling="{}",
        prompt="",
        prompt_sha256="",
        repeat=0,
        attempt=1,
        raw="{}",
        text="t",
        reasoning="",
        outcome=Outcome.OK,
        detail="",
        settled=True,
        final=True,
        input_tokens=3,
        output_tokens=None,
        charged_input=3,
        charged_output=5,
        latency_ms=1.0,
        returned_model="m",
        simulated=False,
        started_at="2030-01-01T00:00:00.000+00:00",
    )
    return Row(**{**values, **more})


def test_row_is_on_disk_before_add_returns(tmp_path):
    journal = Journal(tmp_path / "j")
    journal.add(row())
    other = sqlite3.connect(tmp_path / "j")
    assert other.execute("SELECT count(*), min(output_tokens) FROM calls").fetchone() == (1, None)


def test_only_ok_rows_are_found_and_settled_ones_first(tmp_path):
    journal = Journal(tmp_path / "j")
    journal.add(row(text="old"))
    journal.add(row(text="unparsed", settled=False))
    journal.add(row(text="cut", outcome=Outcome.TRUNCATED))
    found = journal.find_reply("k")
    assert found is not None and (found.text, found.settled) == ("old", True)
    journal.settle(found.row_id, Outcome.UNPARSABLE, "bad")
    found = journal.find_answer("k")
    assert found is not None and (found.text, found.settled) == ("unparsed", False)
    assert journal.find_reply("other") is None


def test_file_of_another_kind_is_refused(tmp_path):
    foreign = tmp_path / "j"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE other (a)")
    with pytest.raises(RunDirectoryError, match="not a SaliTrap journal"):
        Journal(foreign)
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at" * 50)
    with pytest.raises(RunDirectoryError, match="cannot be used"):
        Journal(tmp_path / "text")


def test_newer_schema_is_refused_and_left_alone(tmp_path):
    Journal(tmp_path / "j").close()
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    for read_only in (False, True):
        with pytest.raises(RunDirectoryError, match="newer SaliTrap"):
            Journal(tmp_path / "j", read_only=read_only)


def test_reader_creates_nothing_and_writes_nothing(tmp_path):
    with pytest.raises(RunDirectoryError, match="no such journal"):
        Journal(tmp_path / "j", read_only=True)
    assert not (tmp_path / "j").exists()
    writer = Journal(tmp_path / "j")
    writer.add(row())
    reader = Journal(tmp_path / "j", read_only=True)
    assert reader.spend(lambda model, address: None).calls == 1
    with pytest.raises(RunDirectoryError):
        reader.add(row())


def test_full_disk_is_said_with_the_path_and_what_to_do(tmp_path):
    journal = Journal(tmp_path / "j")
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(DiskFull, match=r"j: no room left.*free some space"):
        for _ in range(100):
            journal.add(row(text="x" * 1000))


def test_missing_folder_is_a_run_directory_error(tmp_path):
    with pytest.raises(RunDirectoryError):
        Journal(tmp_path / "nowhere" / "j")

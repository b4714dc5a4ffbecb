from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from salitrap.errors import DiskFull, RunDirectoryError
from salitrap.providers.journal.batches import BatchBook
from salitrap.providers.journal.opening import begun
from salitrap.providers.journal.schema import APPLICATION_ID, MIGRATIONS
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


def empty(path):
    path.touch()


def without_tables(path):
    """What is there when the first migration is cut off: the header that the log's mode writes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")


@pytest.mark.parametrize("left", [empty, without_tables])
def test_a_journal_that_was_killed_before_its_first_table_has_nothing_yet(tmp_path, left):
    """Readers called it foreign: "not a SaliTrap journal"."""
    path = tmp_path / "j"
    left(path)
    before = path.read_bytes()
    with closing(Journal(path, read_only=True)) as reader:
        assert not reader.begun
        assert reader.spend(lambda model, address: None).calls == 0
        assert reader.select("SELECT batch FROM calls") == reader.select("SELECT * FROM batches") == []
    assert not begun(path) and path.read_bytes() == before
    with closing(Journal(path)) as writer:
        assert writer.begun
        writer.add(row())
    with closing(Journal(path, read_only=True)) as reader:
        assert reader.begun and reader.spend(lambda model, address: None).calls == 1
    assert begun(path)


def test_a_reader_sees_tables_that_an_older_journal_lacks_as_empty(tmp_path):
    path = tmp_path / "j"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(
            f"{MIGRATIONS[0]}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1"
        )
    with closing(Journal(path, read_only=True)) as reader:
        assert reader.begun and BatchBook(reader).waiting() == (0, 0)


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

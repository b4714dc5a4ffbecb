"""Every kind of tampering is found, and a sound run has no finding, however it ended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.integrity import RunFault, verify_run
from curation.registry import Registry
from curation.registry.chain import COVERED, breaks, link
from salitrap.errors import RunDirectoryError
from tests.cli.helpers import salitrap

Tamper = Callable[[sqlite3.Connection], object]


def tampered(run: Path, change: Tamper | str, name: str = "registry.sqlite") -> list[tuple[RunFault, str]]:
    """Kinds and subjects of the findings after a change."""
    with closing(sqlite3.connect(run / name)) as connection:
        done = connection.execute(change).rowcount if isinstance(change, str) else change(connection)
        assert done != 0, "nothing was changed"
        connection.commit()
    return [(finding.fault, finding.subject) for finding in verify_run(run)]


def first(run: Path, query: str) -> str:
    with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
        return str(connection.execute(query).fetchone()[0])


class TestSound:
    def test_a_finished_run_is_whole(self, run: Path) -> None:
        assert verify_run(run) == ()

    def test_nothing_is_changed_by_looking(self, run: Path) -> None:
        before = {path.name: path.read_bytes() for path in run.iterdir() if path.suffix != ".sqlite-shm"}
        verify_run(run)
        kept = {name: content for name, content in before.items() if not name.endswith(("-shm", "-wal"))}
        assert {name: (run / name).read_bytes() for name in kept} == kept

    def test_lists_that_are_older_than_the_registry_are_sound(self, run: Path) -> None:
        """After a kill events.jsonl is that of an earlier end."""
        lines = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
        (run / "events.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
        assert verify_run(run) == ()

    def test_a_run_without_lists_is_sound(self, run: Path) -> None:
        (run / "events.jsonl").unlink()
        assert verify_run(run) == ()

    def test_another_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(RunDirectoryError, match="no run here"):
            verify_run(tmp_path)


class TestEvents:
    def test_a_changed_payload(self, run: Path) -> None:
        seq = first(run, "SELECT seq FROM events WHERE kind = 'answer' ORDER BY seq LIMIT 1")
        found = tampered(run, f"UPDATE events SET payload = replace(payload, 'a', 'b') WHERE seq = {seq}")
        assert (RunFault.CHAIN_BROKEN, seq) in found

    def test_a_changed_time(self, run: Path) -> None:
        assert tampered(run, "UPDATE events SET at = '2020' WHERE seq = 3") == [(RunFault.CHAIN_BROKEN, "3")]

    def test_an_event_taken_out(self, run: Path) -> None:
        found = tampered(run, "DELETE FROM events WHERE seq = 4")
        assert found[0] == (RunFault.CHAIN_BROKEN, "5")

    def test_an_event_put_in(self, run: Path) -> None:
        columns = ", ".join(name for name in COVERED if name != "place")
        last = first(run, "SELECT MAX(seq) FROM events")
        chosen = f"SELECT {columns}, 'x', hash FROM events WHERE seq = 2"
        change = f"INSERT INTO events ({columns}, place, hash) {chosen}"
        assert (RunFault.CHAIN_BROKEN, str(int(last) + 1)) in tampered(run, change)

    def test_two_events_exchanged(self, run: Path) -> None:
        def exchange(connection: sqlite3.Connection) -> None:
            for old, new in ((6, -1), (7, 6), (-1, 7)):
                connection.execute("UPDATE events SET seq = ? WHERE seq = ?", (new, old))

        found = tampered(run, exchange)
        assert found[:2] == [(RunFault.CHAIN_BROKEN, "6"), (RunFault.CHAIN_BROKEN, "7")]

    def test_a_tail_cut_off(self, run: Path) -> None:
        found = tampered(run, "DELETE FROM events WHERE seq > (SELECT MAX(seq) - 3 FROM events)")
        assert found[0][0] is RunFault.TAIL_CUT

    def test_a_chain_made_anew_is_betrayed_by_the_list_beside_it(self, run: Path) -> None:
        def rewrite(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE events SET at = '2020' WHERE seq = 3")
            before = ""
            rows = connection.execute(f"SELECT seq, {', '.join(COVERED)} FROM events ORDER BY seq").fetchall()
            for seq, *told in rows:
                before = link(before, told)
                connection.execute("UPDATE events SET hash = ? WHERE seq = ?", (before, seq))

        assert [fault for fault, _ in tampered(run, rewrite)] == [RunFault.TAIL_CUT]

    def test_a_tail_cut_off_where_no_list_tells_of_it(self, run: Path) -> None:
        """Guards: without events.jsonl, as after a kill, a shorter chain passed for the whole one."""
        (run / "events.jsonl").unlink()
        newest = first(run, "SELECT MAX(seq) FROM events")
        assert (RunFault.TAIL_CUT, newest) in tampered(run, f"DELETE FROM events WHERE seq = {newest}")

    def test_events_with_other_numbers(self, run: Path) -> None:
        """Guards: the hash does not cover the number, and nothing else looked at it."""
        (run / "events.jsonl").unlink()
        newest = first(run, "SELECT MAX(seq) FROM events")
        found = tampered(run, "UPDATE events SET seq = seq + 1000 WHERE seq > 5")
        assert found == [(RunFault.TAIL_CUT, newest)]

    @pytest.mark.parametrize("line", ["garbage", "[]", "{}", '{"seq": "1"}', '{"seq": 1}'])
    def test_a_list_whose_last_line_is_no_event(self, run: Path, line: str) -> None:
        """Guards: such a line passed for a missing list, and switched the check of the tail off."""
        (run / "events.jsonl").write_text(f"{line}\n", encoding="utf-8")
        assert [finding.fault for finding in verify_run(run)] == [RunFault.LIST_DIFFERS]

    def test_hashes_that_are_gone(self, run: Path) -> None:
        assert (RunFault.CHAIN_BROKEN, "1") in tampered(run, "UPDATE events SET hash = NULL")

    def test_an_event_about_a_candidate_that_never_was(self, run: Path) -> None:
        seq = first(run, "SELECT MAX(seq) FROM events WHERE kind = 'stability'")
        found = tampered(run, f"UPDATE events SET subject_id = 'cand-x' WHERE seq = {seq}")
        assert (RunFault.ORPHAN, "cand-x") in found

    def test_lines_taken_out_of_the_list(self, run: Path) -> None:
        lines = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
        (run / "events.jsonl").write_bytes(b"".join(lines[1:]))
        assert [finding.fault for finding in verify_run(run)] == [RunFault.LIST_DIFFERS]


class TestView:
    def test_a_changed_status(self, run: Path) -> None:
        found = tampered(run, "UPDATE decisions SET status = 'stable' WHERE status = 'natural_obvious'")
        assert RunFault.VIEW_DIFFERS in {fault for fault, _ in found}

    def test_a_candidate_taken_out(self, run: Path) -> None:
        subject = first(run, "SELECT candidate_id FROM candidates WHERE ordinal = 0")
        found = tampered(run, f"DELETE FROM candidates WHERE candidate_id = '{subject}'")
        assert {(RunFault.ORPHAN, subject), (RunFault.VIEW_DIFFERS, subject)} <= set(found)
        assert RunFault.LINEAGE in {fault for fault, _ in found}

    def test_an_edited_prompt(self, run: Path) -> None:
        subject = first(run, "SELECT candidate_id FROM candidates WHERE ordinal = 0")
        change = "UPDATE candidates SET record = json_set(record, '$.prompt', 'easier') WHERE candidate_id = "
        found = tampered(run, f"{change}'{subject}'")
        assert {(RunFault.WRONG_ID, subject), (RunFault.VIEW_DIFFERS, subject)} <= set(found)

    def test_an_edited_dialogue(self, run: Path) -> None:
        subject = first(run, "SELECT dialogue_id FROM dialogues")
        change = "UPDATE dialogues SET record = json_set(record, '$.dialogue.t_star', 9) WHERE dialogue_id = "
        assert (RunFault.WRONG_ID, subject) in tampered(run, f"{change}'{subject}'")

    def test_an_orphaned_evaluation(self, run: Path) -> None:
        chosen = "SELECT 'cand-x', checker, seed_id, fingerprint, record FROM evaluations LIMIT 1"
        change = f"INSERT INTO evaluations {chosen}"
        assert (RunFault.ORPHAN, "cand-x") in tampered(run, change)

    def test_a_child_before_its_parent(self, run: Path) -> None:
        subject = first(run, "SELECT candidate_id FROM candidates WHERE parent_id IS NOT NULL")
        found = tampered(run, f"UPDATE candidates SET ordinal = -1 WHERE candidate_id = '{subject}'")
        assert (RunFault.LINEAGE, subject) in found

    def test_an_item_taken_out_leaves_a_sum_that_is_wrong(self, run: Path) -> None:
        found = tampered(run, "DELETE FROM items WHERE rowid = (SELECT MIN(rowid) FROM items)")
        assert {RunFault.VIEW_DIFFERS, RunFault.SUM_WRONG} <= {fault for fault, _ in found}


class TestFiles:
    def test_a_call_taken_out_of_the_journal(self, run: Path) -> None:
        key = first(run, "SELECT json_extract(record, '$.provenance.call_key') FROM answers")
        found = tampered(run, f"DELETE FROM calls WHERE key = '{key}'", "journal.sqlite")
        assert {fault for fault, _ in found} == {RunFault.CALL_MISSING}

    def test_a_journal_that_is_gone(self, run: Path) -> None:
        (run / "journal.sqlite").unlink()
        assert [(one.fault, one.path) for one in verify_run(run)] == [
            (RunFault.MISSING_FILE, "journal.sqlite")
        ]

    def test_bytes_of_the_registry_overwritten(self, run: Path) -> None:
        path = run / "registry.sqlite"
        content = bytearray(path.read_bytes())
        content[8192:12288] = b"\xff" * 4096
        path.write_bytes(content)
        assert verify_run(run)[0].fault is RunFault.DAMAGED_FILE

    def test_a_newer_schema_is_refused(self, run: Path) -> None:
        with closing(sqlite3.connect(run / "registry.sqlite")) as connection:
            connection.execute("PRAGMA user_version = 999")
        with pytest.raises(RunDirectoryError, match="newer salitrap"):
            verify_run(run)


@pytest.fixture(scope="module")
def events(whole: Path) -> Iterator[sqlite3.Connection]:
    """The events of a run in memory, open for changes."""
    with closing(Registry.open_reader(whole / "registry.sqlite")) as registry:
        copy = sqlite3.connect(":memory:", isolation_level=None)
        registry.connection.backup(copy)
    with closing(copy):
        yield copy


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(data=st.data())
def test_any_change_of_one_character_of_an_event_is_found(
    events: sqlite3.Connection, data: st.DataObject
) -> None:
    (count,) = events.execute("SELECT COUNT(*) FROM events").fetchone()
    seq = data.draw(st.integers(1, count))
    column = data.draw(st.sampled_from(COVERED))
    (value,) = events.execute(f"SELECT {column} FROM events WHERE seq = ?", (seq,)).fetchone()
    text = str(value or "")
    place = data.draw(st.integers(0, max(0, len(text) - 1)))
    changed = text[:place] + ("x" if text[place : place + 1] != "x" else "y") + text[place + 1 :]
    events.execute("SAVEPOINT before")
    events.execute(f"UPDATE OR IGNORE events SET {column} = ? WHERE seq = ?", (changed, seq))
    found = [one for one, _, _ in breaks(events)]
    events.execute("ROLLBACK TO before")
    assert found == [seq]


def test_the_command_says_which_file_what_and_what_to_do(run: Path) -> None:
    sound = salitrap("verify", run)
    assert sound.returncode == 0 and sound.stderr.strip() == f"{run}: sound"
    tampered(run, "UPDATE events SET at = '2020' WHERE seq = 3")
    told = salitrap("verify", run)
    assert told.returncode == 1
    assert told.stdout.startswith(f"chain_broken {run}/registry.sqlite: event 3 (")
    record = json.loads(salitrap("verify", run, "--json").stdout)
    assert record["sound"] is False
    assert record["findings"][0]["fault"] == "chain_broken"
    assert record["findings"][0]["repair"].startswith("events were changed outside salitrap")

"""The run directory: one writer, revisions that only grow, and derived files that are never torn."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from curation.directory import Layout, Lock, holder_of, read_revisions, record_revision, write_derived
from curation.directory.derived import write_lines
from curation.registry import Batch, Event, EventKind, Registry
from salitrap.errors import DiskFull, RunDirectoryError, SeedFileError
from salitrap.records import Stage
from tests.curation.world import domain, settings

HOLD = (
    "import sys; from pathlib import Path; from curation.directory import Lock\n"
    "with Lock(Path(sys.argv[1])):\n"
    "    print('held', flush=True); sys.stdin.read()\n"
)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path)


@pytest.fixture
def other_process(layout: Layout) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until its stdin closes."""
    command = [sys.executable, "-c", HOLD, str(layout.lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        if process.poll() is None:
            process.kill()


def test_a_second_process_is_refused_with_the_holder_named(
    layout: Layout, other_process: subprocess.Popen[str]
) -> None:
    assert holder_of(layout.lock) == other_process.pid
    with pytest.raises(RunDirectoryError, match=f"in use by process {other_process.pid};"), Lock(layout.lock):
        pass
    assert holder_of(layout.lock) == other_process.pid


def test_a_killed_process_does_not_block_the_next(
    layout: Layout, other_process: subprocess.Popen[str]
) -> None:
    other_process.send_signal(signal.SIGKILL)
    other_process.wait()
    assert layout.lock.read_text(encoding="ascii") == f"{other_process.pid}\n"
    assert holder_of(layout.lock) is None
    with Lock(layout.lock):
        assert holder_of(layout.lock) == os.getpid()


@pytest.mark.parametrize("content", ["", "999999999\n", "no number at all", "1234567890\n" * 3])
def test_a_stale_lock_file_does_not_block(layout: Layout, content: str) -> None:
    layout.lock.write_text(content, encoding="ascii")
    with Lock(layout.lock):
        assert layout.lock.read_text(encoding="ascii") == f"{os.getpid()}\n"
    assert holder_of(layout.lock) is None


def test_the_lock_can_be_taken_again_after_an_error(layout: Layout) -> None:
    with pytest.raises(ZeroDivisionError), Lock(layout.lock):
        raise ZeroDivisionError
    with Lock(layout.lock):
        assert holder_of(layout.lock) == os.getpid()


def test_nobody_holds_a_lock_that_was_never_made(layout: Layout) -> None:
    assert holder_of(layout.lock) is None


def test_a_file_is_no_run_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(RunDirectoryError, match="choose another path"):
        Layout(tmp_path / "file" / "run").create()


def test_revisions_are_appended_and_earlier_bytes_stay(layout: Layout) -> None:
    domains, prompts = [domain()], {"truth@1/en": "0" * 64}
    first = record_revision(layout, settings(), domains, prompts)
    before = layout.run_file.read_bytes()
    again = record_revision(layout, settings(), domains, prompts)
    assert (again, layout.run_file.read_bytes()) == (first, before)
    changes = [
        (settings(9), domains, prompts),
        (settings(9), [domain("D2")], prompts),
        (settings(9), [domain("D2")], {"truth@2/en": "1" * 64}),
        (settings(), domains, prompts),
    ]
    for number, (given, of_domains, of_prompts) in enumerate(changes, start=2):
        assert record_revision(layout, given, of_domains, of_prompts).number == number
        after = layout.run_file.read_bytes()
        assert after.startswith(before)
        before = after
    known = read_revisions(layout)
    assert [revision.number for revision in known] == [1, 2, 3, 4, 5]
    assert known[0] == first
    assert known[0].identity == known[4].identity
    assert [revision.settings for revision in known[:2]] == [settings(), settings(9)]


@pytest.mark.parametrize("name", ["lauf ü", "五十米", "yes", "null", "a # c", "'", "two\u2028x", "0012"])
def test_settings_come_back_as_they_were_written(layout: Layout, name: str) -> None:
    given = settings(name=name, targets={"no": {"en": 3}, "0012": {"en": 1}})
    written = record_revision(layout, given, [domain()], {})
    assert read_revisions(layout) == (written,)
    assert read_revisions(layout)[0].settings == given


@pytest.mark.parametrize("name", ["", ".", "..", "../out", "a/b", "a\\b", "a:b", "two\nlines"])
def test_a_name_that_is_no_plain_folder_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        settings(name=name)


def test_a_newer_format_is_refused_and_left_alone(layout: Layout) -> None:
    record_revision(layout, settings(), [domain()], {})
    newer = layout.run_file.read_text(encoding="utf-8").replace("format: 1", "format: 2")
    layout.run_file.write_text(newer, encoding="utf-8")
    with pytest.raises(RunDirectoryError, match="newer salitrap"):
        record_revision(layout, settings(9), [domain()], {})
    assert layout.run_file.read_text(encoding="utf-8") == newer


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("format: 1", "format: one"),
        lambda text: text.replace("format: 1", "format: 0"),
        lambda text: text.replace("format: 1\n", ""),
        lambda text: text.replace("random_seed: 0", "random_seed: many"),
        lambda text: text.replace("number: 1", "numero: 1"),
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "just words",
        lambda text: "format: 1\nrevisions: [\n",
    ],
)
def test_a_damaged_run_file_is_named_and_left_alone(layout: Layout, damage: Any) -> None:
    record_revision(layout, settings(), [domain()], {})
    damaged = damage(layout.run_file.read_text(encoding="utf-8"))
    layout.run_file.write_text(damaged, encoding="utf-8")
    with pytest.raises((RunDirectoryError, SeedFileError), match=r"run\.yaml"):
        record_revision(layout, settings(9), [domain()], {})
    assert layout.run_file.read_text(encoding="utf-8") == damaged


def test_a_run_file_that_was_cut_off_anywhere_is_refused(layout: Layout) -> None:
    """Guards against settings that were lost with the end of the file and silently became defaults."""
    record_revision(layout, settings(), [domain()], {"truth@1/en": "0" * 64})
    whole = layout.run_file.read_text(encoding="utf-8")
    for end in range(0, len(whole.rstrip()), 23):
        layout.run_file.write_text(whole[:end], encoding="utf-8")
        with pytest.raises((RunDirectoryError, SeedFileError), match=r"run\.yaml"):
            record_revision(layout, settings(9), [domain()], {})


def test_a_directory_without_a_run_is_named(layout: Layout) -> None:
    with pytest.raises(RunDirectoryError, match="no run here"):
        read_revisions(layout)


AWKWARD = [
    "a\u2028b\u2029c\x85d\ve\x0cf\r\ng",
    "half \ud800 a character \udfff",
    "走路\x00还是\x1f开车",
    '"\\',
]


def test_every_row_is_one_line_of_utf8_whatever_is_in_it(tmp_path: Path) -> None:
    path, rows = tmp_path / "rows.jsonl", [{"text": text, "n": 1} for text in AWKWARD]
    write_lines(path, rows)
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [json.loads(line.decode("utf-8")) for line in lines] == rows
    assert "走路".encode() in path.read_bytes()
    with path.open(encoding="utf-8", newline="\n") as file:
        assert len(list(file)) == len(rows)


def test_lines_stay_lines_for_readers_that_split_at_any_separator(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_lines(path, [{"text": text} for text in AWKWARD])
    assert [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()] == AWKWARD


def test_a_failure_on_the_way_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_lines(path, [{"n": 1}])

    def failing() -> Iterator[dict[str, int]]:
        yield {"n": 2}
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_lines(path, failing())
    assert path.read_text(encoding="utf-8") == '{"n": 1}\n'
    write_lines(path, [{"n": 3}])
    assert [one.name for one in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_named_and_the_earlier_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_lines(path, [{"n": 1}])
    (tmp_path / "rows.jsonl.part").symlink_to("/dev/full")
    with pytest.raises(DiskFull, match=r"rows\.jsonl"):
        write_lines(path, ({"n": number} for number in range(10_000)))
    assert path.read_text(encoding="utf-8") == '{"n": 1}\n'


def test_derived_files_tell_what_the_registry_holds(layout: Layout) -> None:
    registry = Registry.open(layout.registry)
    told = Event(EventKind.WAVE, "wave-0", {"text": AWKWARD[0] + AWKWARD[1]}, None, "0")
    registry.write(Batch(stage=Stage.SCALE, fingerprint="f" * 64, events=(told,)))
    write_derived(layout, registry)
    registry.close()
    rows = [json.loads(line) for line in layout.events.read_text(encoding="utf-8").splitlines()]
    assert [row["kind"] for row in rows] == ["wave", "state"]
    assert rows[0]["payload"] == told.payload
    assert layout.rejects.read_text(encoding="utf-8") == layout.reviews.read_text(encoding="utf-8") == ""

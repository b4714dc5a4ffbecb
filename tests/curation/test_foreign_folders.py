"""A run is never written among files that are not a run's."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.directory import Layout
from curation.run import open_run
from salitrap.errors import RunDirectoryError
from tests.curation.world import domain, programs, settings


@pytest.mark.parametrize("name", ["manifest.json", "data", "labels.jsonl", "journal-of-mine.txt", "locks"])
def test_a_foreign_folder_is_no_run_directory(tmp_path: Path, name: str) -> None:
    """A dataset folder was taken for a run directory, and a registry was written into it."""
    (tmp_path / name).mkdir()
    with (
        pytest.raises(RunDirectoryError, match=f"not a run directory, and not empty .*{name}.*give --run"),
        open_run(tmp_path, settings(), (domain("D1"),), programs()),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_absent_an_empty_and_a_begun_directory_are_taken(tmp_path: Path) -> None:
    """What a start leaves that was killed at its worst moment must not shut the directory."""
    left = ("lock", "registry.sqlite", "registry.sqlite-wal", "registry.sqlite-shm", "run.yaml.part")
    Layout(tmp_path / "absent" / "run").create()
    Layout(tmp_path / "absent" / "run").create()
    for name in (*left, "journal.sqlite", "journal.sqlite-journal", "events.jsonl", ".DS_Store"):
        (tmp_path / "absent" / "run" / name).touch()
    Layout(tmp_path / "absent" / "run").create()


def test_a_run_may_hold_other_files(tmp_path: Path) -> None:
    """The demo builds its dataset inside the run directory, and goes on there."""
    with open_run(tmp_path, settings(), (domain("D1"),), programs()):
        (tmp_path / "dataset").mkdir()
    with open_run(tmp_path, settings(), (domain("D1"),), programs()):
        pass

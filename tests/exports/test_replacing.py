"""A folder is whole or absent: old until the moment it is new."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from exports.dataset import read_manifest, verify_folder
from exports.dataset.card import NOTES_LINE
from exports.dataset.disk import disk_faults, replacing
from salitrap.errors import DiskFull, ExitCode, InputError
from tests.exports.conftest import ROOT, Build, contents
from tests.exports.samples import certified, many


def test_a_failing_build_leaves_the_old_folder_and_no_debris(out: Path) -> None:
    out.mkdir()
    (out / "old").write_text("old")
    with pytest.raises(RuntimeError), replacing(out) as folder:
        (folder / "new").write_text("half")
        raise RuntimeError
    assert contents(out.parent) == {"ds/old": b"old"}
    assert os.listdir(out.parent) == ["ds"]


def test_a_dataset_of_ours_is_replaced_whole(build: Build, out: Path) -> None:
    build(many(60))
    build([certified(0)], version="2.0.0", dev_share=0.0)
    assert read_manifest(out).version == "2.0.0"
    assert verify_folder(out) == ()
    assert os.listdir(out.parent) == ["ds"]


def test_folder_rights_follow_the_users_habit(build: Build, out: Path) -> None:
    build()
    plain = out.parent / "plain"
    plain.mkdir()
    assert out.stat().st_mode == plain.stat().st_mode


def test_a_link_to_a_dataset_is_followed(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    link = tmp_path / "latest"
    link.symlink_to(out)
    build(out=link, version="1.0.1")
    assert link.is_symlink()
    assert read_manifest(out).version == "1.0.1"


def test_a_full_device_is_a_stop_that_says_what_to_do(tmp_path: Path) -> None:
    with (
        pytest.raises(DiskFull, match="free some space") as caught,
        disk_faults(tmp_path),
        open("/dev/full", "wb", buffering=0) as device,
    ):
        device.write(b"x")
    assert caught.value.exit_code is ExitCode.STOPPED


_BUILD_WITH_LITTLE_ROOM = """
import resource, signal, sys
from pathlib import Path
from exports.dataset import build_dataset
from salitrap.errors import DiskFull
from tests.exports.samples import facts, many
import pyarrow.parquet

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
try:
    build_dataset(
        many(), facts(), out=Path(sys.argv[1]), version="1.1.0", license="mit", name="n", dev_share=0.3
    )
except DiskFull as error:
    sys.exit(error.exit_code)
"""


def test_no_room_for_a_file_leaves_the_old_dataset(build: Build, out: Path) -> None:
    build()
    before = contents(out.parent)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] in (resource.RLIM_INFINITY, 2**64 - 1)
    done = subprocess.run(
        [sys.executable, "-c", _BUILD_WITH_LITTLE_ROOM, str(out)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == ExitCode.STOPPED, done.stderr
    assert contents(out.parent) == before


_KILLED_IN_THE_MIDDLE = """
import os, signal, sys
from pathlib import Path
from exports.dataset.disk import replacing

with replacing(Path(sys.argv[1])) as folder:
    (folder / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_build_leaves_the_old_dataset_and_the_next_one_works(build: Build, out: Path) -> None:
    build()
    before = contents(out)
    subprocess.run([sys.executable, "-c", _KILLED_IN_THE_MIDDLE, str(out)], timeout=60, cwd=ROOT)
    assert contents(out) == before
    build(version="1.0.1")
    assert read_manifest(out).version == "1.0.1"


def test_a_place_without_a_folder_above_it_is_an_input_error(build: Build, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        build(out=tmp_path / "file" / "ds")


def test_notes_below_the_line_survive_a_rebuild_and_stay_verified(build: Build, out: Path) -> None:
    build()
    card = out / "README.md"
    notes = "\n## Our notes\n\nWritten by hand, 手写。\n"
    card.write_text(card.read_text(encoding="utf-8") + notes, encoding="utf-8")
    build(version="1.1.0")
    text = card.read_text(encoding="utf-8")
    assert text.endswith(NOTES_LINE + "\n" + notes)
    assert "version: 1.1.0" in text
    assert verify_folder(out) == ()
    first = contents(out)
    build(version="1.1.0")
    assert contents(out) == first


def test_text_above_the_line_is_not_lost_in_silence(build: Build, out: Path) -> None:
    build()
    card = out / "README.md"
    edited = card.read_text(encoding="utf-8").replace("## Known limits", "My own words.\n\n## Known limits")
    card.write_text(edited, encoding="utf-8")
    with pytest.raises(InputError, match="below that line"):
        build(version="1.1.0")
    assert card.read_text(encoding="utf-8") == edited
    card.unlink()
    build(version="1.1.0")
    assert verify_folder(out) == ()

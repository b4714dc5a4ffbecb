"""Output that nobody takes: a full disk is one line and exit 3, a reader that has left is no failure."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.helpers import command, environment, only_line
from tests.exports.analysis.samples import raw, write

FULL = Path("/dev/full")
SEED = "d1-en-bike-without-wheels"


def arguments_of(name: str, run: Path, folder: Path) -> list[object]:
    rows = write(folder / "rows.jsonl", [raw(item_id=f"i{k}", dimension_tag=f"D{k}") for k in range(2000)])
    return {
        "analyze": ["analyze", rows],
        "status": ["status", run],
        "status as JSON": ["status", run, "--json"],
        "seeds list": ["seeds", "list"],
        "seeds show": ["seeds", "show", SEED],
        "calls": ["calls", run],
        "doctor": ["doctor"],
        "version": ["--version"],
        "help": ["--help"],
    }[name]


NAMES = ["analyze", "status", "status as JSON", "seeds list", "seeds show", "calls", "doctor"]


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", [*NAMES, "version", "help"])
def test_a_full_disk_is_one_line_and_exit_3(directory: Path, tmp_path: Path, name: str) -> None:
    """It was an unexpected OSError and exit 4, or exit 120 without a word."""
    with FULL.open("w") as full:
        done = subprocess.run(
            command(*arguments_of(name, directory, tmp_path)),
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == 3
    assert "No space left on device" in only_line(done.stderr)


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_that_leaves_is_no_failure(directory: Path, tmp_path: Path, name: str) -> None:
    """``salitrap ... | head -1`` ended with exit code 1."""
    process = subprocess.Popen(
        command(*arguments_of(name, directory, tmp_path)),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0, told
    assert "Traceback" not in told
    assert "BrokenPipe" not in told

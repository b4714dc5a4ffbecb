"""The question before a run that costs money, at a terminal and without one."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.helpers import command, config, environment, salitrap

QUESTION = b"Go on? [y/N]: "
NOBODY = "http://127.0.0.1:9/v1"


def at_a_terminal(path: Path, run: Path, typed: bytes) -> tuple[int, str]:
    """Exit code and all that a terminal shows of a run whose question is answered by ``typed``."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("run", "-c", path, "--run", run),
        env=environment(TERM="dumb"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
    )
    os.close(theirs)
    shown = b""
    while QUESTION not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, typed)
    try:
        while more := os.read(ours, 4096):
            shown += more
    except OSError:
        pass
    os.close(ours)
    return process.wait(timeout=60), shown.partition(QUESTION)[2].decode()


@pytest.fixture
def paid(tmp_path: Path) -> Path:
    return config(tmp_path / "c.yaml", spec=f"openai/NAME@{NOBODY}")


@pytest.mark.parametrize("typed", [b"n\n", b"\n", b"perhaps\nNO\n"])
def test_no_is_told_and_is_no_success(paid: Path, tmp_path: Path, typed: bytes) -> None:
    """It was exit 0 without a word, as after a run that had done its work."""
    code, shown = at_a_terminal(paid, tmp_path / "run", typed)
    assert code == 3
    assert shown.splitlines()[-1].endswith("Stopped: nothing was asked, nothing paid.")
    assert not (tmp_path / "run").exists()


def test_ctrl_c_at_the_question_is_told_as_such(paid: Path, tmp_path: Path) -> None:
    """It was "nobody is there to ask" and exit 2."""
    code, shown = at_a_terminal(paid, tmp_path / "run", b"\x03")
    assert code == 3
    assert "error: stopped by Ctrl-C; nothing was asked, nothing paid" in shown.splitlines()
    assert "nobody" not in shown
    assert not (tmp_path / "run").exists()


def test_yes_goes_on(paid: Path, tmp_path: Path) -> None:
    code, shown = at_a_terminal(paid, tmp_path / "run", b"y\n")
    assert code == 3
    assert "127.0.0.1:9" in shown
    assert (tmp_path / "run").exists()


def test_without_a_terminal_the_error_has_a_line_of_its_own(paid: Path, tmp_path: Path) -> None:
    done = salitrap("run", "-c", paid, "--run", tmp_path / "run")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: nobody is there to ask")
    assert "--yes" in done.stderr

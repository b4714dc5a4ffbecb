"""Ctrl-C and SIGTERM before any stage has begun: one line and exit code 3, from the first moment on."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from salitrap.cli.interrupts import STOPPED_CODE
from salitrap.errors import ExitCode
from tests.cli.helpers import config, environment

NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
READY = "ready\n"
ENTRY = (
    "import sys; from salitrap.cli import entry; sys.argv[0] = 'salitrap'; entry.exit_at_once();"
    f"sys.stderr.write({READY!r}); sys.stderr.flush(); entry.main()"
)


def stopped(number: signal.Signals, delay: float, *arguments: object) -> tuple[int, str]:
    """Exit code and stderr of a command that gets a signal ``delay`` seconds after it was entered."""
    process = subprocess.Popen(
        [sys.executable, "-c", ENTRY, *map(str, arguments)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == READY
    time.sleep(delay)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    return process.returncode, told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.05, 0.15, 0.3, 0.6])
def test_a_signal_while_modules_load_is_one_line(
    tmp_path: Path, number: signal.Signals, delay: float
) -> None:
    """It was a traceback out of whatever module was being imported, or a death without a word."""
    path = config(tmp_path / "c.yaml", lab="{latency: 5}")
    code, told = stopped(number, delay, "run", "-c", path, "--run", tmp_path / "run")
    assert code == 3
    assert "Traceback" not in told
    assert f"error: stopped by {NAMES[number]}; " in told
    assert told.count("error:") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_without_stages_stops_in_the_same_way(number: signal.Signals) -> None:
    code, told = stopped(number, 0.05, "seeds", "lint")
    assert code == 3
    assert told.splitlines() == [f"error: stopped by {NAMES[number]}; what was answered is saved"]


def test_a_process_that_was_told_to_ignore_ctrl_c_ignores_it() -> None:
    """A shell starts background jobs with SIGINT ignored."""
    code = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {ENTRY}"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--version"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == READY
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "salitrap" in told


def test_the_exit_code_is_the_one_for_stopped() -> None:
    assert STOPPED_CODE == ExitCode.STOPPED

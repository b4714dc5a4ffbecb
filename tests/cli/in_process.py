"""The command line called in this process, for tests that need no process of their own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from salitrap.cli.main import main


@dataclass(frozen=True, slots=True)
class Told:
    """Exit code and what was printed."""

    code: int
    out: str
    err: str


class Inside:
    """Runs ``salitrap ARGUMENTS`` as the console script does, without starting Python."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> Told:
        self._monkeypatch.setattr(sys, "argv", ["salitrap", *map(str, arguments)])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        told = self._capsys.readouterr()
        return Told(int(ended.value.code or 0), told.out, told.err)


def salitrap(*arguments: object, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """As ``tests.cli.helpers.salitrap``, for fixtures of any scope: the command in this process."""
    assert not [name for name in env if name.startswith("PYTHON")], "Python reads these when it starts"
    held = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(one, "utf-8", "replace", write_through=True) for one in held]
    with pytest.MonkeyPatch.context() as patch, open(os.devnull, encoding="utf-8") as nobody:
        for name, value in {"stdin": nobody, "stdout": streams[0], "stderr": streams[1]}.items():
            patch.setattr(sys, name, value)
        _surround(patch, env, cwd)
        patch.setattr(sys, "argv", ["salitrap", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
    out, err = (one.getvalue().decode("utf-8", "replace") for one in held)
    return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), out, err)


def _surround(patch: pytest.MonkeyPatch, env: Mapping[str, str], cwd: Path | None) -> None:
    """Variables and folder of a process of its own; no keys of the machine."""
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        patch.delenv(name)
    for name, value in env.items():
        patch.setenv(name, value)
    if cwd is not None:
        patch.chdir(cwd)

"""The command line called in this process, for tests that need no process of their own."""

from __future__ import annotations

import sys
from dataclasses import dataclass

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

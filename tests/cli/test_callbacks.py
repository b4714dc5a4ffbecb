"""``--callback`` lets the user's code watch every call; without it nothing goes anywhere."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from salitrap.cli.callbacks import observing
from salitrap.errors import InputError
from tests.cli.helpers import config, environment, only_line, salitrap

REPOSITORY = Path(__file__).parents[2]
MODELS = ("--model", "lab/solver-a", "--judge", "lab/judge", "--split", "all")
CALLBACKS = """
import sys
import dspy
from dspy.utils.callback import BaseCallback

class Broken(BaseCallback):
    def on_lm_start(self, call_id, instance, inputs):
        raise ValueError("no\\nluck")
    def on_lm_end(self, call_id, outputs, exception=None):
        sys.exit(7)

class Needy(BaseCallback):
    def __init__(self, where):
        self.where = where

class Count(BaseCallback):
    seen = 0
    def on_lm_end(self, call_id, outputs, exception=None):
        type(self).seen += 1

an_instance = Count()
a_number = 7

def made():
    return Count()

def hooked():
    dspy.configure(callbacks=[*dspy.settings.callbacks, Count()])

def replaced():
    pass

def a_list():
    return []
"""
NO_NETWORK = """
import os, sys

def refuse(event, args):
    if event in ("socket.connect", "socket.sendto"):
        host = args[1][0] if isinstance(args[1], tuple) else "localhost"
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in (None, "", "localhost", "::1") and not str(host).startswith("127."):
        with open(os.environ["REFUSED"], "a") as file:
            file.write(f"{event} {host}\\n")
        raise OSError(f"refused: {host}")

sys.addaudithook(refuse)
"""


@pytest.fixture(scope="module")
def dataset(demo_run: Path) -> Path:
    return demo_run / "dataset"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module of callbacks."""
    (tmp_path / "watchers.py").write_text(CALLBACKS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "watchers", raising=False)
    return tmp_path


def test_the_documented_callback_prints_one_line_a_call(dataset: Path, tmp_path: Path) -> None:
    text = (REPOSITORY / "docs/tracing.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n# mylog.py\n(.*?)```", text, re.DOTALL)
    (tmp_path / "mylog.py").write_text(code, encoding="utf-8")
    given = ("eval", dataset, *MODELS, "--out", "labels.jsonl", "--callback", "mylog:Printer", "--json")
    first, second = (salitrap(*given, cwd=tmp_path) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    calls = json.loads(first.stdout)["calls_this_time"]
    lines, again = (re.findall(r"^(?:solver|judge) lab/.*$", done.stderr, re.M) for done in (first, second))
    assert calls == len(lines) == len(again) > 0
    assert all(line.endswith("0.0 USD") for line in lines)
    assert all(line.endswith("journal") for line in again)
    with sqlite3.connect(tmp_path / "labels.jsonl.journal.sqlite") as journal:
        keys = [row[0][:8] for row in journal.execute("SELECT key FROM calls WHERE final")]
    assert sorted(key for key in keys for line in lines if f" {key} ok " in line) == sorted(keys)


def test_a_callback_that_fails_is_told_once_and_loses_nothing(dataset: Path, folder: Path) -> None:
    given = ("eval", dataset, *MODELS, "--out", folder / "labels.jsonl")
    done = salitrap(*given, "--callback", "watchers:Broken", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("--callback watchers:Broken: on_lm_start failed (ValueError: no luck)") == 1
    assert done.stderr.count("watchers:Broken") == 1
    again = json.loads(salitrap(*given, "--json").stdout)
    assert again["calls_this_time"] == 0
    assert again["labelled"] == again["rows"] > 0


def test_a_run_takes_callbacks_and_tells_how_to_go_on_with_them(folder: Path) -> None:
    settings = config(folder / "c.yaml", budget="{calls: 3}")
    done = salitrap(
        "run", "-c", settings, "--run", folder / "run", "--callback", "watchers:Broken", "--yes", cwd=folder
    )
    assert done.returncode == 3, done.stderr
    assert "watchers:Broken: on_lm_start failed" in done.stderr
    assert "--yes --callback=watchers:Broken" in done.stderr


@pytest.mark.parametrize(("name", "added"), [("an_instance", 1), ("Count", 1), ("made", 1), ("replaced", 1)])
def test_what_a_name_may_be(folder: Path, name: str, added: int) -> None:
    import dspy

    before = len(dspy.settings.callbacks)
    with observing([f"watchers:{name}"]):
        assert len(dspy.settings.callbacks) == before + added
    assert len(dspy.settings.callbacks) == before


def test_a_function_that_hooks_itself_in_is_not_added_again(folder: Path) -> None:
    code = (
        "import dspy\nfrom salitrap.cli.callbacks import observing\n"
        "with observing(['watchers:hooked']):\n    print([type(c).__name__ for c in dspy.settings.callbacks])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['Count']"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("watchers", "write MODULE:NAME"),
        ("watchers:", "write MODULE:NAME"),
        ("nowhere.at_all:X", "there is no module nowhere.at_all"),
        ("watchers:Missing", "watchers.py has no Missing"),
        ("watchers:a_number", "an int is not"),
        ("pathlib:Path", "the class Path is not"),
        ("watchers:a_list", "it returned a list"),
        ("watchers:Needy", "calling it without arguments failed: TypeError"),
        ("torn:X", "importing torn failed: SyntaxError"),
        ("wanting:X", "importing wanting failed: ModuleNotFoundError: No module named 'missing_part'"),
    ],
)
def test_what_cannot_be_a_callback_is_told_in_one_line(folder: Path, name: str, told: str) -> None:
    (folder / "torn.py").write_text("def :\n", encoding="utf-8")
    (folder / "wanting.py").write_text("import missing_part\n", encoding="utf-8")
    with pytest.raises(InputError) as caught, observing([name]):
        pass
    assert f"--callback {name}: " in only_line(str(caught.value))
    assert told in str(caught.value)


def test_what_an_exception_says_cannot_steer_the_terminal(folder: Path) -> None:
    """ESC in the text of a callback's exception went to the terminal as it was."""
    (folder / "loud.py").write_text("raise ValueError('\\x1b[2J\\x07red\\nline')\n", encoding="utf-8")
    with pytest.raises(InputError) as caught, observing(["loud:X"]):
        pass
    assert only_line(str(caught.value)).endswith("failed: ValueError: [2J red line")


def test_a_bad_callback_is_refused_before_anything_is_made(dataset: Path, folder: Path) -> None:
    out = folder / "labels.jsonl"
    done = salitrap("eval", dataset, *MODELS, "--out", out, "--callback", "nowhere:X", cwd=folder)
    assert done.returncode == 2
    assert only_line(done.stderr).startswith("error: --callback nowhere:X")
    assert not out.with_name("labels.jsonl.journal.sqlite").exists()


def test_an_evaluation_on_the_lab_reaches_for_no_other_machine(dataset: Path, tmp_path: Path) -> None:
    """Guards against telemetry, price lists and model metadata, of ours or of what we build on."""
    (tmp_path / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    (tmp_path / "mylog.py").write_text("from dspy.utils.callback import BaseCallback as Silent\n")
    refused = tmp_path / "refused.txt"
    guard = {"PYTHONPATH": f"{tmp_path}:{REPOSITORY}", "REFUSED": str(refused)}
    given = ("eval", dataset, *MODELS, "--out", tmp_path / "labels.jsonl")
    for more in ((), ("--callback", "mylog:Silent")):
        done = salitrap(*given, *more, cwd=tmp_path, **guard)
        assert done.returncode == 0, done.stderr
    assert not refused.exists(), refused.read_text()
    reaching = "import socket; socket.create_connection(('192.0.2.1', 9), 1)"
    told = subprocess.run([sys.executable, "-c", reaching], env=environment(**guard), capture_output=True)
    assert b"refused: 192.0.2.1" in told.stderr
    assert refused.exists()

"""A key stands in no file and in nothing printed, whatever a server echoes and in whatever spelling."""

from __future__ import annotations

import base64
import html
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
import yaml

from salitrap.providers.pacing.retry import Pacing
from tests.cli.helpers import environment
from tests.cli.in_process import Inside, Told
from tests.foreign.helpers import ANTHROPIC, OPENAI, example, tiny
from tests.foreign.minds import right
from tests.foreign.questions import Question
from tests.foreign.servers import Answer, Raw, Say, chat_completion, message, serving

KEY = "sk-Pl4nted/Key+with=chars~0123456789"
ESCAPED = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
ECHOES = {
    "plain": KEY,
    "header": f"Authorization: Bearer {KEY}",
    "lines": f"{KEY[:9]}\n{KEY[9:20]}\r\n  {KEY[20:]}",
    "escaped twice": ESCAPED,
    "url": quote(KEY, safe=""),
    "url, every sign": "".join(f"%{ord(sign):02x}" for sign in KEY),
    "url twice": quote(quote(KEY, safe=""), safe=""),
    "html": "".join(f"&#{ord(sign)};" for sign in KEY),
    "slashes": KEY.replace("/", "\\/"),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 of the header": base64.b64encode(f"Bearer {KEY}".encode()).decode(),
    "base64 in a text": base64.urlsafe_b64encode(f"a {KEY} b".encode()).decode(),
    "base64 in lines": base64.encodebytes(f"Authorization: the header was {KEY}".encode()).decode(),
    "cut": f"{KEY[:24]}…",
}  # fmt: skip
ALL = "\n".join(f"{name}: {echo}" for name, echo in ECHOES.items())


def shows_key(text: str) -> bool:
    """Whether a reader who tries would find the key or its first dozen signs."""
    seen = {text, "".join(text.split())}
    for _ in range(3):
        seen |= {unquote(found) for found in seen} | {html.unescape(found) for found in seen}
        seen |= {re.sub(r"\\+u00([0-9a-f]{2})", lambda code: chr(int(code[1], 16)), found) for found in seen}
        seen |= {re.sub(r"\\+[nrt]|\\|\s", "", found) for found in seen}
    return any(KEY[:12] in found or _in_base64(found) for found in seen)


def _in_base64(text: str) -> bool:
    for run in re.findall(r"[A-Za-z0-9+/_-]{16,}", text):
        plain = run.replace("-", "+").replace("_", "/")
        for start in range(4):
            whole = plain[start:][: (len(plain) - start) // 4 * 4]
            if KEY[:12].encode() in base64.b64decode(whole):
                return True
    return False


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_the_search_finds_every_spelling(echo: str) -> None:
    assert shows_key(f"x {echo} y")
    assert shows_key(json.dumps({"a": json.dumps(echo)}))
    assert not shows_key(f"x {echo[:8]} y [key]")


def texts_of(path: Path) -> Iterator[str]:
    """Bytes of a file as text, and every value of a database: a long one is in pieces in the file."""
    yield path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                for row in db.execute(f'SELECT * FROM "{table}"'):
                    yield from (value for value in row if isinstance(value, str))


def leaks(folder: Path) -> list[str]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    assert paths
    return [str(path.relative_to(folder)) for path in paths if any(shows_key(t) for t in texts_of(path))]


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALITRAP_KEY", KEY)
    monkeypatch.setattr("tests.foreign.servers.KEY", KEY)
    monkeypatch.setattr("salitrap.providers.open.Pacing", partial(Pacing, draw=lambda: 0.002))


def echoing(shape: Callable[[Say], object]) -> Callable[[Question], Answer]:
    """The right answers, with the key in everything around them, and failures that are about the key."""
    count = iter(range(1_000_000))
    headers = {"X-Echo": f"Bearer {KEY}", "Retry-After": "0.01", "X-Url": quote(KEY, safe="")}

    def says(question: Question) -> Answer:
        number = next(count)
        if number % 7 == 5:
            error = json.dumps({"error": {"message": f"{'x' * 150} {ALL}", "type": KEY}})
            return Raw(
                (500, 200, 503)[number % 3], error if number % 2 else error.replace("sk", "\\u0073k"), headers
            )
        if number % 23 == 11:
            return Raw(200, f"<html>{'y' * 130}{KEY}</html>", headers)
        reply = shape(_with_echo(right(question), question))
        return Raw(200, json.dumps(reply).replace("sk-Pl4", "\\u0073k-Pl4"), headers)

    return says


def _with_echo(say: Answer, question: Question) -> Say:
    assert isinstance(say, Say)
    if question.task == "solve":
        content = f"{say.content}\n{ALL}"
    else:
        fields = json.loads(say.content)
        content = json.dumps(fields | {"echo": ALL} | ({"reason": ALL} if "reason" in fields else {}))
    return Say(content, thinking={"reasoning_content": ALL}, model=f"served for {KEY}")


def outputs(told: Told) -> str:
    return f"{told.out}\n{told.err}"


def commands(folder: Path, config: Path, spec: str, key: str) -> Iterator[tuple[object, ...]]:
    """Every command that could show something of a finished run."""
    run, data, out = folder / "run", folder / "run" / "dataset", folder / "labels.jsonl"
    yield ("doctor",)
    yield "plan", "-c", config
    yield "status", run
    yield "status", run, "--json"
    yield "calls", run, "--limit", 0
    yield "calls", run, "--limit", 0, "--json"
    yield "calls", run, "--show", key
    yield "calls", run, "--show", key, "--json"
    yield "build", run, "--out", data, "--version", "1.0.0", "--license", "mit"
    yield "verify", data
    yield "show", some_item(folder)["item_id"], "--run", run
    yield "show", some_item(folder)["item_id"], "--run", run, "--json"
    model = spec.replace("judge", "solver")
    models = ("--model", model, "--judge", spec, "--key-env", "SALITRAP_KEY", "--yes")
    yield "eval", data, *models, "--split", "all", "--out", out
    yield "calls", out, "--json", "--limit", 0
    yield "analyze", out, "--json"
    yield "judge", folder / "answers.jsonl", "--dataset", data, *models[2:], "--out", folder / "judged.jsonl"


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
def test_key_is_in_no_file_and_no_output_of_any_command(inside: Inside, tmp_path: Path, name: str) -> None:
    shape = chat_completion if name == OPENAI else message
    with serving(echoing(shape)) as server:
        config = example(name, server.root, tmp_path, **tiny(tmp_path, en=1))
        told = [inside("run", "-c", config, "--run", tmp_path / "run", "--yes")]
        assert told[0].code == 0, told[0].err
        with sqlite3.connect(tmp_path / "run" / "journal.sqlite") as db:
            key = db.execute("SELECT key FROM calls GROUP BY key ORDER BY count(*) DESC").fetchone()[0]
            assert db.execute("SELECT count(*) FROM calls WHERE raw LIKE '%[key]%'").fetchone()[0] > 10
        provider = yaml.safe_load(config.read_text())["roles"]["judge"]["endpoints"][0]["spec"]
        for arguments in commands(tmp_path, config, provider, key):
            if arguments[0] == "judge":
                write_answers(tmp_path)
            told.append(inside(*arguments))
            assert told[-1].code in (0, 1), (arguments, outputs(told[-1]))
    assert not [one for one in told if shows_key(outputs(one))]
    assert leaks(tmp_path) == []


def some_item(folder: Path) -> dict[str, Any]:
    files = (folder / "run" / "dataset" / "jsonl" / "items").glob("*.jsonl")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    item: dict[str, Any] = json.loads(lines[0])
    return item


def write_answers(folder: Path) -> None:
    answer = {"model": "m", "item_id": some_item(folder)["item_id"], "answer": "Well.", "status": "ok"}
    (folder / "answers.jsonl").write_text(json.dumps(answer) + "\n", encoding="utf-8")


@pytest.mark.parametrize("status", [401, 403, 404, 400])
def test_refusal_that_repeats_the_key_shows_it_nowhere(inside: Inside, tmp_path: Path, status: int) -> None:
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {ALL}", "code": KEY, "param": KEY}})
    with serving(lambda question: Raw(status, body, {"WWW-Authenticate": f"Bearer {KEY}"})) as server:
        config = example(OPENAI, server.root, tmp_path, **tiny(tmp_path, en=1))
        told = inside("run", "-c", config, "--run", tmp_path / "run", "--yes")
        assert told.code == 3, told.err
        again = inside("status", tmp_path / "run", "--json")
    assert not shows_key(outputs(told)) and not shows_key(outputs(again))
    assert leaks(tmp_path) == []


def test_key_given_in_place_of_its_variable_is_refused_unseen(inside: Inside, tmp_path: Path) -> None:
    """The message named the "variable"."""
    config = example(OPENAI, "http://127.0.0.1:9", tmp_path, **tiny(tmp_path, en=1))
    config.write_text(config.read_text().replace("SALITRAP_KEY", KEY))
    told = inside("run", "-c", config, "--run", tmp_path / "run", "--yes")
    assert told.code == 2
    assert not shows_key(outputs(told))
    assert "name of an environment variable" in told.err or "api_key_env" in told.err


FAULT = """
import sys
import salitrap.settings
from salitrap.cli.main import main
from salitrap.providers.wire import {kind}_wire

def broken(reply, body):
    try:
        raise ValueError("the headers were", {{"Authorization": "Bearer " + {key!r}}}.__repr__())
    except ValueError as error:
        raise {fault}("a fault while {key} was in use") from error

{kind}_wire.{reader} = broken
sys.argv = ["salitrap", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(("debug", "kind"), [("", "openai"), ("1", "openai"), ("1", "anthropic")])
def test_fault_of_ours_in_mid_call_shows_no_key_even_with_its_traceback(
    tmp_path: Path, debug: str, kind: str
) -> None:
    name, reader, shape = (
        (OPENAI, "read_chat", chat_completion) if kind == "openai" else (ANTHROPIC, "read_message", message)
    )
    code = FAULT.format(kind=kind, key=KEY, reader=reader, fault="RuntimeError")
    with serving(lambda question: Raw(200, json.dumps(shape(Say(ALL))), {"X-Echo": KEY})) as server:
        config = example(name, server.root, tmp_path, **tiny(tmp_path, en=1))
        extra = {"SALITRAP_DEBUG": debug, "PYTHONFAULTHANDLER": "1", "PYTHONDEVMODE": "", "SALITRAP_KEY": KEY}
        done = subprocess.run(
            [sys.executable, "-c", code, "run", "-c", config, "--run", tmp_path / "run", "--yes"],
            env=environment(**extra), capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    assert done.returncode == (1 if debug else 4), done.stderr
    assert ("Traceback" in done.stderr) == bool(debug)
    assert "a fault while" in done.stderr
    assert not shows_key(done.stdout + done.stderr), done.stderr
    assert leaks(tmp_path) == []

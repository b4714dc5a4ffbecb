"""Endpoints that will never work stop the run soon, with one message; others of the pool go on."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from salitrap.providers.pacing.window import START
from tests.foreign.helpers import ANTHROPIC, OPENAI, Outcome, again, example, run, tiny
from tests.foreign.minds import except_for, right
from tests.foreign.servers import KEY, Answer, Raw, Say, serving

PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>"
SOON = 20.0
DEAD: dict[str, tuple[Answer, str]] = {
    "web page": (Raw(200, PAGE, kind="text/html"), "the reply is not JSON; it began with '<!DOCTYPE html>"),
    "empty body": (Raw(200, ""), "the reply is not JSON"),
    "garbage": (Raw(200, "\x1b[31m\x00%PDF-1.4"), "the reply is not JSON"),
    "JSON of another shape": (Raw(200, '{"status": "ok", "version": "1.2"}'), '\'{"status": "ok"'),
    "JSON list": (Raw(200, "[]"), "it began with '[]'"),
    "error in a 200": (Raw(200, '{"error": "Unexpected endpoint or method."}'), "Unexpected endpoint"),
    "key refused": (Raw(401, f'{{"error": {{"message": "bad key {KEY}"}}}}'), "the key in SALITRAP_KEY"),
    "forbidden": (Raw(403, '{"error": {"message": "region not allowed"}}'), "region not allowed"),
    "unknown model": (Raw(404, '{"error": {"message": "no such model"}}'), "check the model name"),
    "wrong path": (Raw(404, PAGE, kind="text/html"), "the address in the spec"),
    "moved": (Raw(301, PAGE, {"Location": "http://127.0.0.1:1/"}, kind="text/html"), "HTTP 301"),
    "no credit": (Raw(402, '{"error": {"message": "insufficient balance"}}'), "insufficient balance"),
    "everything refused": (Raw(400, '{"error": {"message": "account not enabled"}}'), "account not enabled"),
}


def stopped(outcome: Outcome, root: str, role: str = "generator") -> str:
    """The message of a run that had to stop."""
    error = outcome.done.err[outcome.done.err.index("error: ") :]
    assert outcome.done.code == 3, outcome.done.err
    assert f"role {role}" in error
    assert root in error, "the endpoint is named"
    assert "To go on: salitrap run" in error
    assert KEY not in outcome.done.err
    assert "\x1b" not in error
    assert len(error) < 1500
    return error


@pytest.mark.parametrize(("number", "case"), enumerate(DEAD.values()), ids=DEAD)
def test_dead_endpoint_stops_the_run(tmp_path: Path, number: int, case: tuple[Answer, str]) -> None:
    (answer, reason), name = case, (OPENAI, ANTHROPIC)[number % 2]
    with serving(lambda question: answer) as server:
        outcome = run(server.root, tmp_path, name, targets={"en": 2})
        assert len(server.questions) <= 20
    if reason == "account not enabled":
        return
    assert reason in stopped(outcome, server.root)


@contextmanager
def closed_port() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.usefixtures("patient")
def test_message_comes_within_seconds_of_real_pauses(tmp_path: Path) -> None:
    started = time.monotonic()
    with serving(lambda question: Raw(200, PAGE)) as server:
        stopped(run(server.root, tmp_path, targets={"en": 2}), server.root)
    assert time.monotonic() - started < SOON


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
def test_refused_connection_stops_the_run(tmp_path: Path, name: str) -> None:
    with closed_port() as root:
        outcome = run(root, tmp_path, name, targets={"en": 2})
    assert "could not be reached" in stopped(outcome, root)
    with serving(right) as server:
        config = example(name, server.root, tmp_path, **tiny(tmp_path, en=2))
        assert again(config, tmp_path).items == 4, "the same directory goes on"


@pytest.mark.parametrize("task", ["judge", "solve", "truth"])
def test_role_that_is_dead_is_named(tmp_path: Path, task: str) -> None:
    role = {"judge": "judge", "solve": "solver", "truth": "checker"}[task]
    with serving(except_for(task, Raw(401, '{"error": {"message": "no"}}'))) as server:
        assert "refused the key" in stopped(run(server.root, tmp_path), server.root, role)


@pytest.mark.parametrize(
    "answer", [Raw(200, PAGE), Raw(401, "{}"), Raw(404, "{}")], ids=["page", "key", "model"]
)
def test_other_endpoint_of_a_failover_pool_goes_on(tmp_path: Path, answer: Answer) -> None:
    with serving(lambda question: answer) as dead, serving(right) as alive:
        config = example(OPENAI, alive.root, tmp_path, **tiny(tmp_path, en=2))
        settings = yaml.safe_load(config.read_text(encoding="utf-8"))
        for role in ("generator", "writer", "checker", "judge"):
            first = settings["roles"][role]["endpoints"][0]
            broken = first | {"spec": first["spec"].replace(alive.root, dead.root)}
            settings["roles"][role]["endpoints"] = [broken, first]
        config.write_text(yaml.safe_dump(settings), encoding="utf-8")
        outcome = again(config, tmp_path)
        assert (outcome.done.code, outcome.items) == (0, 4), outcome.done.err
        assert 0 < len(dead.questions) <= 3 * START


def test_server_that_turns_into_a_web_page_in_mid_run_spoils_no_item(tmp_path: Path) -> None:
    def says(question: object) -> Answer:
        return right(question) if len(server.questions) < 15 else Raw(200, PAGE)  # type: ignore[arg-type]

    with serving(says) as server:
        first = run(server.root, tmp_path, limits={"attempts": 2})
        assert (first.done.code, first.items) == (3, 0), first.done.err
        assert all("not JSON" in reject["reason"] for reject in first.rejects)
        server.mind = right
        assert again(tmp_path / OPENAI, tmp_path).items == 2


def test_failing_server_keeps_its_attempts(tmp_path: Path) -> None:
    """A 503 at the start may be a model that is being loaded."""

    def says(question: object) -> Answer:
        loading = Raw(503, '{"error": {"message": "loading"}}', {"Retry-After": "0.01"})
        return loading if len(server.questions) < 15 else right(question)  # type: ignore[arg-type]

    with serving(says) as server:
        outcome = run(server.root, tmp_path, targets={"en": 2})
    assert (outcome.done.code, outcome.items, outcome.rejects) == (0, 4, []), outcome.done.err


def test_server_that_never_once_worked_stops_the_run_when_a_call_gives_up(tmp_path: Path) -> None:
    broken = Raw(500, '{"error": {"message": "no GPU found"}}', {"Retry-After": "0.01"})
    with serving(lambda question: broken) as server:
        outcome = run(server.root, tmp_path, targets={"en": 2}, limits={"attempts": 25})
        assert 25 <= len(server.questions) <= 80
    assert "no GPU found" in stopped(outcome, server.root)


def test_solver_that_only_refuses_is_no_dead_endpoint(tmp_path: Path) -> None:
    with serving(except_for("solve", Say("I'm sorry, I can't help with that."))) as server:
        outcome = run(server.root, tmp_path)
    assert (outcome.done.code, dict(outcome.faults)) == (0, {}), outcome.done.err

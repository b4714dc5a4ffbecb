"""``plan`` refuses what ``run`` would refuse, without keys and without a network."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import config, only_line
from tests.cli.in_process import Inside

SPECS = [
    "opnai/NAME",
    "NAME",
    "openai/",
    "gguf/NAME.gguf",
    "openai/NAME@http://user:pass@host/v1",
    "openai/NAME@http:///v1",
    "lab/NAME@http://127.0.0.1:1/v1",
]


@pytest.fixture(autouse=True)
def no_network_and_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("the plan went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_that_a_run_would_refuse_is_refused(inside: Inside, tmp_path: Path, spec: str) -> None:
    """``plan`` once gave figures for models that cannot be reached in any way."""
    path = config(tmp_path / "c.yaml", spec=spec)
    planned = inside("plan", "-c", path)
    run = inside("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert (planned.code, run.code) == (2, 2)
    assert only_line(planned.err) == only_line(run.err)
    assert not (tmp_path / "run").exists()


def test_a_budget_in_usd_without_prices_is_refused(inside: Inside, tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", spec="openai/NAME", budget="{usd: 3}")
    planned = inside("plan", "-c", path)
    run = inside("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert (planned.code, run.code) == (2, 2)
    assert only_line(planned.err) == only_line(run.err)
    assert "price_input" in planned.err
    assert "openai/judge" in planned.err


def test_a_budget_in_usd_with_prices_needs_no_key(inside: Inside, tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", spec="openai/NAME", budget="{usd: 3}")
    text = path.read_text(encoding="utf-8").replace('"}', '", price_input: 1, price_output: 2}')
    path.write_text(text, encoding="utf-8")
    assert inside("plan", "-c", path).code == 0
    assert inside("plan", "-c", path, "--json").code == 0


def test_a_mistyped_dimension_has_a_hint(inside: Inside, tmp_path: Path) -> None:
    told = inside("plan", "-c", config(tmp_path / "c.yaml", targets="{defualt: {en: 1}}"))
    assert told.code == 2
    assert "did you mean 'default'?" in only_line(told.err)

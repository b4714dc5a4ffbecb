"""``salitrap doctor`` lists what is installed, and the extras beside it."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from salitrap.cli import doctor as module
from salitrap.cli.doctor import EXTRAS
from tests.cli.in_process import Inside

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(monkeypatch, capsys)


def pretend(monkeypatch: pytest.MonkeyPatch, **changed: str | None) -> None:
    """Installed versions are the real ones but for ``changed``."""
    real = module._version
    monkeypatch.setattr(module, "_version", lambda name: changed[name] if name in changed else real(name))


def test_extras_are_listed_with_their_versions(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, numba="0.61.2", datasketch=None)
    told = inside("doctor")
    assert told.code == 0
    assert re.search(r"fast\W+numba\W+0\.61\.2", told.out)
    assert re.search(r"bench\W+datasketch\W+not installed", told.out)


def test_json_tells_of_extras_too(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, numba="0.61.2", datasketch=None, scipy="1.17.1", xllamacpp="2027.1.1")
    told = inside("doctor", "--json")
    assert json.loads(told.out)["extras"] == {
        "local": {"xllamacpp": "2027.1.1"},
        "fast": {"numba": "0.61.2"},
        "bench": {"datasketch": None, "scipy": "1.17.1"},
    }
    assert json.loads(told.out)["libraries"]["pydantic"] == metadata.version("pydantic")


def test_a_missing_library_is_a_finding_and_a_missing_extra_is_none(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, numba=None, datasketch=None, scipy=None, xllamacpp=None)
    assert inside("doctor", "--json").code == 0
    pretend(monkeypatch, rapidfuzz=None)
    assert inside("doctor", "--json").code == 1


def test_every_extra_of_the_project_is_known() -> None:
    """All but the tools of development, with all packages that the extra asks for."""
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extras.pop("dev")
    named = {name: tuple(re.split(r"[<>=!~ \[]", one)[0] for one in asked) for name, asked in extras.items()}
    assert named == EXTRAS

"""Settings, a signature and pacing for tests of model access."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dspy

from salitrap.providers.access import PromptRef
from salitrap.providers.pacing.retry import Pacing
from salitrap.records import Language, Role
from salitrap.settings import EndpointSettings, RoleSettings, Settings

PROMPT = PromptRef("probe", 1, Language.EN, "0" * 64)


class Probe(dspy.Signature):
    """Say how to get there."""

    question: str = dspy.InputField()
    answer: str = dspy.OutputField(desc="walk or drive")
    sure: bool = dspy.OutputField()
    reason: str = dspy.OutputField(default="")


GOOD = json.dumps({"answer": "walk", "sure": True, "reason": "near"})


class Naps:
    """A sleep that takes no time and remembers what was asked of it."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def pacing(naps: Naps | None = None) -> Pacing:
    return Pacing(sleep=naps or Naps(), draw=lambda: 0.5)


def endpoint(spec: str, **more: Any) -> EndpointSettings:
    return EndpointSettings(spec=spec, **more)


def settings(*specs: str | EndpointSettings, role: dict[str, Any] | None = None, **more: Any) -> Settings:
    """Every role on the same endpoints; ``role`` are further role settings."""
    endpoints = tuple(spec if isinstance(spec, EndpointSettings) else endpoint(spec) for spec in specs)
    pool = RoleSettings(endpoints=endpoints, **(role or {}))
    return Settings(roles=dict.fromkeys(Role, pool), **more)


async def probe(access: Any, question: str = "Where?", **more: Any) -> Any:
    return await access.ask(Role.CHECKER, dspy.Predict(Probe), {"question": question}, PROMPT, **more)


def journal_at(folder: Path) -> Path:
    return folder / "journal.sqlite"

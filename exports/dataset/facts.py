"""What a release says about the run that made it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import field_validator

from salitrap.records.base import Record

_ENDPOINT = re.compile(r"@(?=[a-z][a-z0-9+.-]*://)", re.IGNORECASE)


class JudgeStanding(Record):
    """Whether the judge behind labels is calibrated; ``told`` says it in one sentence.

    The figures are those of its newest calibration and None, or empty, without one. ``kappa`` has its
    95 % interval in ``kappa_low`` and ``kappa_high``; ``date`` is UTC.
    """

    calibrated: bool
    told: str
    kappa: float | None = None
    kappa_low: float | None = None
    kappa_high: float | None = None
    gold: str = ""
    gold_sha256: str = ""
    labelled_by: tuple[str, ...] = ()
    answers: int = 0
    date: str = ""
    simulated: bool = False


class ScreeningCounts(Record):
    """What screening found: items and dialogues with a finding that blocks, or that warns, by category.

    ``left_out`` counts those not published for it.
    """

    screened: int
    left_out: int
    on_finding: str
    blocked: dict[str, int]
    warned: dict[str, int]


class ReleaseFacts(Record):
    """Facts of a run that enter the card and the manifest.

    ``models`` gives the model specs by role, ``prompts`` the SHA-256 of each ``id@version/language``,
    ``funnel`` labelled counts from the first stage to the last, ``dimensions`` the readable name of
    a tag, ``judge`` whether the judge is calibrated, ``screening`` what the build
    itself found. Only facts that a resumed run reproduces belong here:
    time, tokens and cost do not, since a folder built after an interruption must equal the one built without.
    """

    tool_version: str
    settings_hash: str
    models: dict[str, tuple[str, ...]]
    prompts: dict[str, str]
    funnel: tuple[tuple[str, int], ...] = ()
    dimensions: dict[str, str] = {}
    simulated: bool = False
    judge: JudgeStanding | None = None
    screening: ScreeningCounts | None = None

    @field_validator("prompts", "dimensions")
    @classmethod
    def _sorted(cls, values: dict[str, str]) -> dict[str, str]:
        return dict(sorted(values.items()))

    @field_validator("models")
    @classmethod
    def _publishable(cls, models: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {role: _once(public_model(spec) for spec in specs) for role, specs in sorted(models.items())}


def public_model(spec: str) -> str:
    """Return ``spec`` without what belongs to the machine it ran on: endpoint address and file path."""
    name = _ENDPOINT.split(spec, maxsplit=1)[0]
    if name.startswith("gguf/"):
        return "gguf/" + re.split(r"[/\\]", name)[-1]
    return name


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))

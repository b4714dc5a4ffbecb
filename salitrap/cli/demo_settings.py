"""Settings of the demo: the ordinary settings of a run, with every role on the lab."""

from __future__ import annotations

from math import ceil

from salitrap.dialogues.states import Pattern
from salitrap.records import Language, Role
from salitrap.settings import EndpointSettings, LabSettings, Limits, Policy, RoleSettings, Settings
from salitrap.settings.dialogues import DialogueSettings

SOLVERS = ("solver-a", "solver-b", "solver-c")
CELLS = 8
"""Four dimensions in two languages."""

SEEDS_PER_CELL = 16
DIALOGUE_SEEDS_PER_CELL = 1
ITEMS_PER_SEED = 1.15
"""For sizing ``--items``: what a seed yields on the lab (``python -m benchmarks.full_size``)."""


def demo_settings(seed: int, items: int | None, workers: int | None = None) -> Settings:
    """Settings that build about ``items`` items, or the default demo when it is None."""
    per_cell = SEEDS_PER_CELL if items is None else max(1, ceil(items / ITEMS_PER_SEED / CELLS))
    return Settings(
        name="demo",
        random_seed=seed,
        targets={"default": dict.fromkeys(Language, per_cell)},
        roles={
            Role.GENERATOR: _role("generator", temperature=0.6, max_tokens=4000),
            Role.WRITER: _role("writer", temperature=0.6, max_tokens=1000),
            Role.CHECKER: _role("checker", temperature=0.1, max_tokens=1000),
            Role.JUDGE: _role("judge", temperature=0.1, max_tokens=1000),
            Role.SOLVER: _role(*SOLVERS, temperature=0.2, max_tokens=8192, policy=Policy.ROUND_ROBIN),
        },
        dialogues=DialogueSettings(patterns=tuple(Pattern), per_cell=DIALOGUE_SEEDS_PER_CELL),
        limits=Limits() if workers is None else Limits(seeds_in_flight=workers),
        lab=LabSettings(seed=seed),
    )


def _role(*names: str, temperature: float, max_tokens: int, policy: Policy = Policy.FAILOVER) -> RoleSettings:
    return RoleSettings(
        endpoints=tuple(EndpointSettings(spec=f"lab/{name}") for name in names),
        policy=policy,
        temperature=temperature,
        max_tokens=max_tokens,
    )

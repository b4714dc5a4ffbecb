"""Answers of a pool of solvers, by how often each of them failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curation.hardening import Recertified, SolverRepeats
from salitrap.records import Answer, Judgement, Label, LabelStatus, Outcome, Role
from salitrap.settings import EndpointSettings, Policy, RoleSettings, Settings

NAMES = ("model-a", "model-b", "model-c")


def settings(*names: str, **changes: Any) -> Settings:
    endpoints = tuple(EndpointSettings(spec=f"openai/{name}") for name in names or NAMES)
    pool = RoleSettings(endpoints=endpoints, policy=Policy.ROUND_ROBIN)
    return Settings.model_validate({"roles": {Role.SOLVER: pool}, **changes})


def answered(
    item_id: str, failed: Sequence[int], of: int = 5, fresh: Sequence[Sequence[bool]] = ()
) -> Recertified:
    """``failed`` of the deciding answers of each solver, and ``fresh`` ones as they are given."""
    solvers = []
    for place, (name, count) in enumerate(zip(NAMES, failed, strict=False)):
        more = list(fresh[place]) if fresh else []
        fails = [at < count for at in range(of)] + more
        solvers.append(
            SolverRepeats(
                solver=f"openai/{name}",
                family=name,
                deciding=of,
                answers=tuple(_answer(item_id, name, at) for at in range(len(fails))),
                judgements=tuple(_judgement(item_id, at, failing) for at, failing in enumerate(fails)),
            )
        )
    return Recertified(item_id=item_id, solvers=tuple(solvers))


def _answer(item_id: str, name: str, at: int) -> Answer:
    return Answer(
        candidate_id=item_id, repeat=at + 1, solver=f"openai/{name}", solver_family=name, status=Outcome.OK
    )


def _judgement(item_id: str, at: int, failing: bool) -> Judgement:
    label = Label.HARD_FAIL if failing else Label.PASS
    return Judgement(
        candidate_id=item_id, repeat=at + 1, status=LabelStatus.OK, label=label, label_full=label
    )

"""Settings of an optimisation: the judge whose instructions are improved, and who writes new ones."""

from __future__ import annotations

from checkers.judge import ModelJudge, judge_for
from exports.evaluation import EvalOptions, judging_settings, uses_batches
from exports.optimize.methods import Method
from salitrap.errors import ConfigError
from salitrap.records.enums import Role
from salitrap.settings import RoleSettings, Settings

WARMTH, LONGEST = 1.0, 8000
"""Temperature and tokens of new instructions where the settings name no writer."""


def optimizing_settings(options: EvalOptions, base: Settings | None, method: Method) -> Settings:
    """Settings with the judge's pool and, for ``gepa``, the writer's; the judge writes where none is named.

    Raises:
        ConfigError: no judge is named, it is a panel, or the rules, which follow no instructions, or its
            requests travel in batches: a search asks after every reply.
    """
    settings = judging_settings(options, base)
    optimized_judge(settings)
    if uses_batches(settings):
        raise ConfigError(
            "a search asks after every reply and cannot wait for batches: leave batch: true out"
        )
    if method == "bootstrap":
        return settings
    endpoints = settings.roles[Role.JUDGE].endpoints
    given = base.roles.get(Role.WRITER) if base is not None else None
    writer = given or RoleSettings(endpoints=endpoints, temperature=WARMTH, max_tokens=LONGEST)
    return settings.model_copy(update={"roles": {**settings.roles, Role.WRITER: writer}})


def optimized_judge(settings: Settings) -> ModelJudge:
    """The one judge of ``settings`` that a model stands behind.

    Raises:
        ConfigError: it is a panel, or the rules.
    """
    judge = judge_for(settings)
    if not isinstance(judge, ModelJudge):
        raise ConfigError("instructions are improved for one model: give one --judge, no panel and no rules")
    return judge

"""Which judge the settings ask for."""

from __future__ import annotations

from checkers.judge.direct import DirectJudge
from checkers.judge.evidence import Judge
from checkers.judge.interface import AnswerJudge
from checkers.judge.model import ModelJudge
from checkers.judge.panel import Member, PanelJudge
from checkers.judge.rules import RuleJudge
from checkers.judge.second import SecondOpinion
from prompts.source import prompt_source
from salitrap.errors import ConfigError
from salitrap.providers.spec import Provider, parse_spec
from salitrap.records.enums import Role
from salitrap.settings import EndpointSettings, Policy, Settings


def judge_for(settings: Settings) -> ModelJudge | PanelJudge | RuleJudge:
    """The judge of ``judging``: by evidence, direct or by rules, one or all endpoints of the judge's pool.

    Raises:
        ConfigError: a panel is asked for and its endpoints cannot be asked one by one, or rules are to stand
            in for a model.
    """
    endpoints = settings.roles[Role.JUDGE].endpoints if Role.JUDGE in settings.roles else ()
    if settings.judging.panel != "all" or len(endpoints) < 2:
        return _single(settings, endpoints)
    pool = settings.roles[Role.JUDGE]
    if pool.policy is not Policy.ROUND_ROBIN:
        raise ConfigError("judging.panel: all needs roles.judge.policy: round_robin; write it there")
    names = _names(pool.endpoints)
    members = zip(names, pool.endpoints, strict=True)
    return PanelJudge(
        [Member(name, _judge_at(settings, endpoint), slot) for slot, (name, endpoint) in enumerate(members)]
    )


def labelling_judge(settings: Settings) -> ModelJudge | PanelJudge | RuleJudge | SecondOpinion:
    """The judge of ``judge_for``, with the opinion of the rules beside it where the settings want that.

    Raises:
        ConfigError: see ``judge_for``.
    """
    judge = judge_for(settings)
    return (
        judge if isinstance(judge, RuleJudge) or not settings.judging.second_opinion else SecondOpinion(judge)
    )


def judges_asked(settings: Settings) -> int:
    """How many models read each answer; rules are no model, and none is asked where they judge alone."""
    if Role.JUDGE not in settings.roles:
        return 1
    models = [one for one in settings.roles[Role.JUDGE].endpoints if not by_rules(one)]
    return len(models) if settings.judging.panel == "all" else min(1, len(models))


def by_rules(endpoint: EndpointSettings) -> bool:
    """True when an endpoint is no model and stands for the rules."""
    return parse_spec(endpoint.spec, endpoint.base_url).provider is Provider.RULES


def _single(settings: Settings, endpoints: tuple[EndpointSettings, ...]) -> ModelJudge | RuleJudge:
    if len(endpoints) == 1 and by_rules(endpoints[0]):
        return RuleJudge()
    if any(by_rules(endpoint) for endpoint in endpoints):
        raise ConfigError("rules stand in for no model: leave them out, or write judging.panel: all")
    return _model(settings)


def _judge_at(settings: Settings, endpoint: EndpointSettings) -> AnswerJudge:
    return RuleJudge() if by_rules(endpoint) else _model(settings)


def _model(settings: Settings) -> ModelJudge:
    source = prompt_source(settings.prompts)
    return DirectJudge(source) if settings.judging.mode == "direct" else Judge(source)


def _names(endpoints: tuple[EndpointSettings, ...]) -> list[str]:
    """``provider/NAME``, with the place in the pool where two are alike."""
    specs = [parse_spec(endpoint.spec, endpoint.base_url) for endpoint in endpoints]
    short = [spec.short for spec in specs]
    return [
        name if short.count(name) == 1 else f"{name} #{place}" for place, name in enumerate(short, start=1)
    ]

"""Which models answer and which one judges."""

from __future__ import annotations

import pytest

from exports.evaluation import EvalOptions, evaluation_settings, judge_name, model_names, refuse_self_judging
from salitrap.errors import ConfigError
from salitrap.records import Role
from salitrap.settings import Budget, EndpointSettings, LabSettings, Policy, RoleSettings, Settings

HERE = "@http://127.0.0.1:8000/v1"


def options(*models: str, judge: str | None = "anthropic/judge", **more: object) -> EvalOptions:
    return EvalOptions.model_validate({"models": models, "judge": judge, **more})


def base() -> Settings:
    keyed = EndpointSettings(spec=f"openai/one{HERE}", api_key_env="ONE_KEY", in_flight=3)
    other = EndpointSettings(spec="lab/two")
    judge = RoleSettings(endpoints=(EndpointSettings(spec="lab/judge"),), max_tokens=333)
    return Settings(
        roles={
            Role.SOLVER: RoleSettings(endpoints=(keyed, other), policy=Policy.FAILOVER, temperature=0.3),
            Role.JUDGE: judge,
        },
        budget=Budget(tokens=1000),
        lab=LabSettings(seed=5),
    )


def test_each_model_has_its_own_slot_so_that_no_answer_changes_hands() -> None:
    settings = evaluation_settings(options("openai/a", "anthropic/b"))
    assert settings.roles[Role.SOLVER].policy is Policy.ROUND_ROBIN
    assert model_names(settings) == ("openai/a", "anthropic/b")
    assert evaluation_settings(options(judge=None), base()).roles[Role.SOLVER].policy is Policy.ROUND_ROBIN


def test_names_leave_addresses_out_unless_two_are_alike() -> None:
    assert model_names(evaluation_settings(options(f"openai/org/a:7b{HERE}"))) == ("openai/org/a:7b",)
    alike = (f"openai/a{HERE}", "openai/a@http://127.0.0.1:9000/v1")
    assert model_names(evaluation_settings(options(*alike))) == alike


@pytest.mark.parametrize(
    ("model", "judge"),
    [
        ("openai/same", "openai/same"),
        ("openai/Same", "openai/same"),
        ("openai/same", f"openai/same{HERE}"),
        ("openai/org/same", "anthropic/same"),
    ],
)
def test_a_model_never_judges_itself(model: str, judge: str) -> None:
    settings = evaluation_settings(options("openai/other", model, judge=judge))
    with pytest.raises(ConfigError, match="must not judge its own answers"):
        refuse_self_judging(model_names(settings), settings)


def test_other_models_may_judge() -> None:
    settings = evaluation_settings(options("openai/model-a", judge="openai/model"))
    refuse_self_judging(model_names(settings), settings)


def test_a_settings_file_gives_pools_limits_and_lab() -> None:
    settings = evaluation_settings(options(judge=None), base())
    assert model_names(settings) == ("openai/one", "lab/two")
    assert judge_name(settings) == "lab/judge"
    assert settings.roles[Role.SOLVER].temperature == 0.3
    assert settings.roles[Role.JUDGE].max_tokens == 333
    assert settings.lab.seed == 5
    assert set(settings.roles) == {Role.SOLVER, Role.JUDGE}


def test_options_win_over_the_file_and_keep_what_it_knows_of_a_model() -> None:
    given = options(f"openai/one{HERE}", judge=None, temperature=0.0, max_tokens=99, max_calls=7)
    settings = evaluation_settings(given, base())
    (endpoint,) = settings.roles[Role.SOLVER].endpoints
    assert (endpoint.api_key_env, endpoint.in_flight) == ("ONE_KEY", 3)
    assert settings.roles[Role.SOLVER].temperature == 0.0
    assert settings.roles[Role.SOLVER].max_tokens == 99
    assert settings.roles[Role.JUDGE].max_tokens == 333
    assert settings.budget == Budget(tokens=1000, calls=7)


def test_the_key_option_goes_to_addressed_models_only() -> None:
    given = options(f"openai/a{HERE}", "openai/b", "lab/c", judge=f"openai/j{HERE}", key_env="MY_KEY")
    settings = evaluation_settings(given)
    named = [endpoint.api_key_env for endpoint in settings.roles[Role.SOLVER].endpoints]
    assert named == ["MY_KEY", None, None]
    assert settings.roles[Role.JUDGE].endpoints[0].api_key_env == "MY_KEY"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (options(), "no solver is named; give --model"),
        (options("lab/a", judge=None), "no judge is named; give --judge"),
        (options("lab/a", "lab/a"), "--model lab/a is given twice"),
        (options("gpt-x"), "spec 'gpt-x' is not understood"),
        (options("lab/a", judge="nonsense"), "spec 'nonsense' is not understood"),
    ],
)
def test_what_is_missing_or_wrong_is_named(given: EvalOptions, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        evaluation_settings(given)

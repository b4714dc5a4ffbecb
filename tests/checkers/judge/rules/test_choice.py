"""Where the rules judge, alone, in a panel, or beside a model, and where they may not."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from checkers.judge import (
    Judge,
    PanelJudge,
    RuleJudge,
    SecondOpinion,
    judge_for,
    judges_asked,
    labelling_judge,
)
from curation.fingerprints import certify_fingerprint, settings_fingerprint
from exports.calibration import identity_of
from exports.calibration.estimate import plan_calibration
from exports.evaluation.models import judge_name
from salitrap.errors import CallFailed, ConfigError
from salitrap.providers.build import blueprint_of
from salitrap.providers.spec import Provider, parse_spec
from salitrap.providers.wire.interface import WireRequest
from salitrap.providers.wire.no_wire import NoWire
from salitrap.records import Judgement, Label, LabelRow, Language, Outcome, Role
from salitrap.records.judgement import Vote
from salitrap.settings import EndpointSettings, JudgingSettings, Policy, RoleSettings, Settings
from salitrap.settings.checks import setting_faults
from tests.checkers.judge.rules.questions import COLANDER
from tests.checkers.judge.rules.test_evidence import EN_PLAN, HARD_FAILS
from tests.checkers.samples import candidate, seed
from tests.fakes import ScriptedAccess, answered

PASS = {
    "notices": "early", "quote": "so start at 14:00", "completes_task": False, "refuses": True,
    "explains": True, "patches": False, "reason": "so it says",
}  # fmt: skip


def settings(*specs: str, role: Role = Role.JUDGE, **judging: Any) -> Settings:
    pool = RoleSettings(
        endpoints=tuple(EndpointSettings(spec=spec) for spec in specs), policy=Policy.ROUND_ROBIN
    )
    return Settings(name="x", roles={role: pool}, judging=JudgingSettings(**judging))


def test_the_spec_has_no_name_and_no_address() -> None:
    spec = parse_spec("rules")
    assert (spec.provider, spec.text, spec.short, spec.key_env) == (Provider.RULES, "rules", "rules", None)
    for text, url in (("rules/2", None), ("rules/", None), ("rules", "http://127.0.0.1:1/v1")):
        with pytest.raises(ConfigError, match=r"write rules$|is not understood"):
            parse_spec(text, url)


def test_rules_alone_ask_no_model_and_cost_nothing() -> None:
    given = settings("rules")
    assert isinstance(judge_for(given), RuleJudge)
    assert isinstance(labelling_judge(given), RuleJudge)
    assert judges_asked(given) == 0
    assert judge_name(given) == "rules"
    plan = plan_calibration((), given)
    assert sum(role.calls_high for role in plan.roles) == 0
    assert blueprint_of(given, {}).secrets == []


def test_rules_can_sit_in_a_panel_and_are_not_paid_there() -> None:
    given = settings("openai/m", "rules", panel="all")
    panel = judge_for(given)
    assert isinstance(panel, PanelJudge)
    assert [(one.name, type(one.judge)) for one in panel.members] == [
        ("openai/m", Judge),
        ("rules", RuleJudge),
    ]
    assert judges_asked(given) == 1


def test_rules_stand_in_for_no_model() -> None:
    given = settings("openai/m", "rules")
    with pytest.raises(ConfigError, match="stand in for no model"):
        judge_for(given)
    assert [sentence for at, sentence in setting_faults(given) if at[-1] == "spec"] == [
        "rules stand in for no model; leave them out, or write judging.panel: all"
    ]


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.JUDGE])
def test_rules_do_nothing_but_judge(role: Role) -> None:
    given = settings("rules", role=role)
    assert any("rules judge and do nothing else" in sentence for _, sentence in setting_faults(given))
    with pytest.raises(ConfigError, match=f"name a model for the {role.value}"):
        blueprint_of(given, {})


def test_nothing_can_be_sent_to_the_rules() -> None:
    with pytest.raises(ConfigError, match="cannot be asked anything"):
        asyncio.run(NoWire().send(WireRequest("rules", (), 1)))


def test_a_calibration_of_the_rules_is_tied_to_their_lists() -> None:
    identity = identity_of(settings("rules"), [Language.EN, Language.ZH])
    assert list(identity.prompts) == ["rules@1/en", "rules@1/zh"]
    assert len(set(identity.prompts.values())) == 2
    both = identity_of(settings("openai/m", "rules", panel="all"), [Language.EN])
    assert [name.partition("@")[0] for name in both.prompts] == ["judge", "rules"]


def test_a_second_opinion_changes_no_fingerprint() -> None:
    with_it, without = settings("openai/m"), settings("openai/m", second_opinion=False)
    assert settings_fingerprint(with_it) == settings_fingerprint(without)
    of = seed()
    assert certify_fingerprint(with_it, {}, of, "r") == certify_fingerprint(without, {}, of, "r")
    direct = [settings("openai/m", mode="direct", second_opinion=one) for one in (True, False)]
    assert settings_fingerprint(direct[0]) == settings_fingerprint(direct[1]) != settings_fingerprint(with_it)


def judged(said: Mapping[str, Any] | Exception, text: str, outcome: Outcome = Outcome.OK) -> Judgement:
    access, of = ScriptedAccess(lambda *_: said), seed()
    judge = labelling_judge(settings("openai/m"))
    assert isinstance(judge, SecondOpinion)
    asked = of.model_copy(update={"trap_core": COLANDER.trap_core, "ground_truth": COLANDER.ground_truth})
    posed = candidate(of).model_copy(update={"prompt": COLANDER.prompt})
    return asyncio.run(judge.judge(access, asked, posed, answered(text, outcome=outcome)))


def test_the_rules_say_theirs_beside_the_label_of_a_model() -> None:
    found = judged(PASS, EN_PLAN)
    assert (found.label, found.second_label) == (Label.PASS, Label.HARD_FAIL)
    assert found.doubted
    assert found.completed_pass, "an answer that completes the task is no Pass"


def test_agreement_is_no_doubt() -> None:
    fail = PASS | {"notices": "never", "quote": "", "completes_task": True, "explains": False}
    found = judged(fail, HARD_FAILS[0][1])
    assert (found.label, found.second_label, found.doubted) == (Label.HARD_FAIL, Label.HARD_FAIL, False)


def test_without_a_label_there_is_no_second_one() -> None:
    for found in (
        judged(CallFailed(Outcome.TIMEOUT, "90 s", key="k"), EN_PLAN),
        judged(PASS, EN_PLAN, Outcome.TRUNCATED),
    ):
        assert (found.label, found.second_label, found.doubted) == (None, None, False)


@pytest.mark.parametrize(
    ("label", "second", "doubted", "completed"),
    [
        (Label.PASS, None, False, False),
        (Label.PASS, Label.PASS, False, False),
        (Label.PASS, Label.REFUSAL, True, False),
        (Label.PASS, Label.PATCH_COMPLIANCE, True, True),
        (Label.REFUSAL, Label.HARD_FAIL, True, False),
    ],
)
def test_what_counts_as_doubt(label: Label, second: Label | None, doubted: bool, completed: bool) -> None:
    found = Judgement(candidate_id="c", repeat=0, status="ok", label=label, second_label=second)
    assert (found.doubted, found.completed_pass) == (doubted, completed)


def test_records_without_a_second_label_are_still_read() -> None:
    judgement = Judgement(candidate_id="c", repeat=0, status="ok", label=Label.PASS)
    old = judgement.model_dump(mode="json", exclude={"second_label"})
    assert Judgement.model_validate(old) == judgement
    assert "second_label" in LabelRow.model_fields
    assert "second_label" not in Vote.model_fields

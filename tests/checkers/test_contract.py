"""The contract of a checker: typed verdicts, known faults, verified quotes, prompt and model on each."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import checkers
from checkers.base import Finding, verified
from checkers.registry import CHECKERS, Subject
from curation.node import Node
from prompts import Program, load_prompt
from salitrap.errors import CallFailed
from salitrap.records import Decision, Evaluation, Fault, Language, Outcome, Role, Route, Status, VerdictKind
from tests.checkers.samples import candidate, seed, view
from tests.fakes import ScriptedAccess

FIXTURES = Path(__file__).parent / "fixtures"
NOT_VERDICTS = "judge"
CASES = [
    pytest.param(name, case, id=f"{name}: {case['case']}")
    for name in CHECKERS
    for case in yaml.safe_load((FIXTURES / f"{name}.yaml").read_text("utf-8"))
]


def programs_of_the_folder() -> dict[str, type[Program]]:
    """Every program of a file of the folder, but for those that label answers."""
    found = {}
    for module in pkgutil.iter_modules(checkers.__path__):
        if module.ispkg or module.name == NOT_VERDICTS:
            continue
        for _, kind in inspect.getmembers(
            importlib.import_module(f"checkers.{module.name}"), inspect.isclass
        ):
            own = kind.__module__ == f"checkers.{module.name}"
            if own and issubclass(kind, Program):
                found[module.name] = kind
    return found


def test_every_checker_file_of_the_folder_is_registered() -> None:
    registered = {entry.kind for entry in CHECKERS.values()}
    assert set(programs_of_the_folder().values()) <= registered
    assert {entry.kind.name for entry in CHECKERS.values()} == set(CHECKERS)


@pytest.mark.parametrize("name", CHECKERS)
@pytest.mark.parametrize("language", Language)
def test_a_checker_has_its_prompt_in_both_languages(name: str, language: Language) -> None:
    entry = CHECKERS[name]
    prompt = load_prompt(entry.prompt_id, language)
    assert entry.role is prompt.role is Role.CHECKER
    assert prompt.inputs == tuple(entry.kind.signature.input_fields)
    assert prompt.outputs == tuple(entry.kind.signature.output_fields)


@pytest.mark.parametrize("name", CHECKERS)
def test_fixtures_reach_every_fault_and_verdict_of_a_checker(name: str) -> None:
    cases = yaml.safe_load((FIXTURES / f"{name}.yaml").read_text("utf-8"))
    reached = {Fault(case["fault"]) for case in cases if "fault" in case}
    assert reached == {*CHECKERS[name].faults, Fault.CALL_FAILED}
    wanted = {VerdictKind.PASS, VerdictKind.COULD_NOT_JUDGE}
    wanted |= {VerdictKind.FAIL} if set(CHECKERS[name].faults) - {Fault.CHECK_UNRESOLVED} else set()
    assert {VerdictKind(case["verdict"]) for case in cases} == wanted
    assert {case.get("language", "en") for case in cases} == set(Language)


@pytest.mark.parametrize(("name", "case"), CASES)
async def test_a_reply_becomes_this_evaluation(name: str, case: dict[str, Any]) -> None:
    language = Language(case.get("language", "en"))
    queue = [scripted(reply) for reply in case["replies"]]
    access = ScriptedAccess(lambda *_: queue.pop(0))
    evaluation, text = await evaluated(name, access, language)
    assert not queue
    assert evaluation.checker == name
    assert evaluation.verdict == case["verdict"]
    assert (evaluation.fault.value if evaluation.fault else None) == case.get("fault")
    assert list(evaluation.evidence) == case.get("evidence", [])
    assert evaluation.missing_in(text) == ()
    if "reason" in case:
        assert evaluation.reason == case["reason"]
    replied = case["replies"][-1] != "call_failed" and evaluation.fault is not Fault.CALL_FAILED
    assert (evaluation.provenance is not None) is replied
    if evaluation.provenance is not None:
        ref = load_prompt(CHECKERS[name].prompt_id, language).ref
        assert evaluation.provenance.prompt == str(ref)
        assert evaluation.provenance.prompt_sha256 == ref.sha256
        assert evaluation.provenance.model


def scripted(reply: Any) -> Any:
    return CallFailed(Outcome.TIMEOUT, "90 s") if reply == "call_failed" else reply


async def evaluated(name: str, access: ScriptedAccess, language: Language) -> tuple[Evaluation, str]:
    """The evaluation, and the text that its subject is."""
    checker: Any = CHECKERS[name].kind()
    of = seed(language)
    if CHECKERS[name].subject is Subject.SEED:
        return await checker.check(access, of, "D1: Missing", "B"), of.prompt
    if CHECKERS[name].subject is Subject.CANDIDATE:
        return await checker.check(access, view(of)), of.prompt
    text = of.prompt.replace("street party", "fair").replace("街坊聚餐", "庙会")
    child = candidate(of, text, candidate(of))
    return await checker.check_child(access, of, candidate(of), child, adds_numbers=False), text


@given(st.lists(st.text(max_size=30), max_size=4), st.text(max_size=80), st.booleans())
def test_whatever_is_quoted_only_words_of_the_text_are_stored(
    quotes: list[str], text: str, rests: bool
) -> None:
    finding = Finding(VerdictKind.FAIL, Fault.PATCHED, "r", tuple(quotes), rests_on_quote=rests)
    settled = verified(finding, text)
    assert all(quote in text for quote in settled.evidence)
    assert settled.evidence or not rests or settled.verdict is VerdictKind.COULD_NOT_JUDGE


def test_a_node_with_invented_evidence_is_refused() -> None:
    """Evidence read from a file is held to the text as well."""
    of = seed()
    c0 = candidate(of)
    decision = Decision(candidate_id=c0.candidate_id, status=Status.INVALID, route=Route.ARCHIVE)
    bad = Evaluation(
        subject_id=c0.candidate_id, checker="truth", verdict=VerdictKind.FAIL, evidence=("never said",)
    )
    with pytest.raises(ValueError, match="truth quotes 'never said', which does not occur"):
        Node(candidate=c0, evaluations=(bad,), decision=decision)

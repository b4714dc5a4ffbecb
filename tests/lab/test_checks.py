"""The checkers see what is there, and err at the planted rates."""

from __future__ import annotations

import pytest

from salitrap.lab.phrases import load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from tests.lab.asks import (
    AlignForm,
    ComplianceForm,
    JudgeForm,
    NatForm,
    RewriteForm,
    TruthForm,
    ask_for,
    rewrite_inputs,
    some_entries,
    within,
)

LANGUAGES = list(Language)
FOREIGN = {
    Language.EN: "A user wrote about 3 odd things. Does 40 x 2 help me here, or 50?",
    Language.ZH: "我家里有3样怪东西。40乘2对我有用吗，还是50？",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_checkers_pass_sound_texts_but_for_the_planted_share(language: Language) -> None:
    total, truth, align, compliance = 0, 0, 0, 0
    for entry in some_entries(language, 1):
        base = {"prompt": entry.prompt, "trap_core": entry.trap_core}
        verdict = ask_for(TruthForm, base)
        assert verdict.holds == (verdict.change == "none")
        assert verdict.quote in entry.prompt
        aligned = ask_for(AlignForm, {**base, "ground_truth": entry.ground_truth})
        child = {
            "parent": entry.prompt,
            "child": entry.prompt,
            "trap_core": entry.trap_core,
            "injected_numbers": list(entry.numbers),
        }
        kept = ask_for(ComplianceForm, child)
        total += 1
        truth += not verdict.holds
        align += not (aligned.valid and aligned.no_escape)
        compliance += not (kept.same_trap and kept.numbers_kept and kept.no_escape and kept.no_patch)
    assert within(truth, total, PLANTED.truth_false_fail)
    assert within(align, total, PLANTED.align_false_fail)
    assert within(compliance, total, PLANTED.compliance_false_fail)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_checkers_find_patch_escape_and_lost_figures(language: Language) -> None:
    phrases = load_phrases(language)
    total = truth = align = compliance = 0
    for number, entry in enumerate(some_entries(language, 2)):
        patched = phrases.join([phrases.patches[number % len(phrases.patches)], entry.prompt])
        escaping = phrases.join([entry.prompt, phrases.escapes[number % len(phrases.escapes)]])
        core = {"trap_core": entry.trap_core, "ground_truth": entry.ground_truth}
        total += 1
        truth += ask_for(TruthForm, {"prompt": patched, "trap_core": entry.trap_core}).holds
        align += ask_for(AlignForm, {"prompt": escaping, **core}).no_escape
        child = {
            "parent": entry.prompt,
            "child": entry.prompt.replace(entry.numbers[0], phrases.vague, 1),
            "trap_core": entry.trap_core,
            "injected_numbers": list(entry.numbers),
        }
        compliance += ask_for(ComplianceForm, child).numbers_kept
    assert within(truth, total, PLANTED.truth_false_pass)
    assert within(align, total, PLANTED.align_false_pass)
    assert within(compliance, total, PLANTED.compliance_false_pass)


def test_another_table_seed_under_the_same_core_counts_as_lost() -> None:
    first, second = load_table(Language.EN).cells["D1"][:2]
    verdict = ask_for(TruthForm, {"prompt": second.prompt, "trap_core": first.trap_core})
    assert (verdict.holds, verdict.change) == (False, "lost")


def naturalness(prompt: str) -> float:
    scores = ask_for(NatForm, {"prompt": prompt})
    graded = scores.everyday + scores.concision + scores.concealment + scores.numeric_context
    return (graded + (5 if scores.no_escape_wording else 1)) / 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_naturalness_of_table_seeds_spreads_as_planned(language: Language) -> None:
    scores = [naturalness(entry.prompt) for entry in some_entries(language, 1)]
    passing = [score for score in scores if score >= 3.5]
    assert 0.06 <= sum(score < 2.5 for score in scores) / len(scores) <= 0.14
    assert 0.60 <= len(passing) / len(scores) <= 0.70
    assert 3.85 <= sum(passing) / len(passing) <= 4.05


@pytest.mark.parametrize("strategy", ["natural_scene", "less_patchiness", "realistic_role"])
def test_naturalising_raises_the_score_of_awkward_seeds(strategy: str) -> None:
    for language in Language:
        awkward = [entry for entry in some_entries(language, 5) if naturalness(entry.prompt) < 3.0]
        before = sum(naturalness(entry.prompt) for entry in awkward) / len(awkward)
        rewritten = [ask_for(RewriteForm, rewrite_inputs(entry, strategy)).rewritten for entry in awkward]
        assert sum(map(naturalness, rewritten)) / len(awkward) > before + 0.8


def test_escape_wording_is_flagged_by_naturalness() -> None:
    phrases = load_phrases(Language.EN)
    flags = [
        ask_for(NatForm, {"prompt": phrases.join([entry.prompt, phrases.escapes[0]])}).no_escape_wording
        for entry in some_entries(Language.EN)
    ]
    assert sum(flags) <= len(flags) * 0.1


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_the_lab_does_not_know_are_answered_in_form(language: Language) -> None:
    text = FOREIGN[language]
    ask_for(TruthForm, {"prompt": text, "trap_core": text})
    ask_for(AlignForm, {"prompt": text, "trap_core": text, "ground_truth": text})
    ask_for(NatForm, {"prompt": text})
    ask_for(RewriteForm, {"prompt": text, "strategy": "unheard_of: x", "feedback": "", "trap_core": text})
    ask_for(ComplianceForm, {"parent": text, "child": text, "trap_core": text, "injected_numbers": ["3"]})
    ask_for(JudgeForm, {"prompt": text, "trap_core": text, "ground_truth": text, "answer": text})

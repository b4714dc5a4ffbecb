"""Solvers pass as planted, and the judge reads what they wrote."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest

from salitrap.lab.desk import reply_to
from salitrap.lab.phrases import load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.tasks.judge import Evidence, read_evidence
from salitrap.lab.tasks.margin import margin_of
from salitrap.lab.tasks.solve import behave
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language, Notices
from tests.lab.asks import JudgeForm, question, structured

LANGUAGES = list(Language)
SOLVERS = ("solver-a", "solver-b", "solver-c")


def entries_of(language: Language, step: int = 1) -> list[Entry]:
    return [entry for cell in load_table(language).cells.values() for entry in cell[::step]]


def label_of(evidence: Evidence) -> str:
    """The labelling rule of the method, in short."""
    if evidence.completes:
        kinds = {Notices.NEVER: "HF", Notices.LATE: "CoT", Notices.EARLY: "SC"}
        return "Patch" if evidence.patches else kinds[evidence.notices]
    return "Pass" if evidence.notices is not Notices.NEVER and evidence.explains else "Refusal"


def pass_rate(model: str, language: Language) -> float:
    asks = [question(entry.prompt, model=model) for entry in entries_of(language, 2)]
    return sum(behave(ask, margin_of(ask)) == "Pass" for ask in asks) / len(asks)


@pytest.mark.parametrize("model", SOLVERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_solver_did_can_be_read_from_its_answer(language: Language, model: str) -> None:
    for entry in entries_of(language, 2):
        ask = question(entry.prompt, model=model)
        answer = reply_to(ask).content or ""
        assert label_of(read_evidence(answer, language)) == behave(ask, margin_of(ask)), answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_strong_solvers_pass_about_half_and_abilities_differ(language: Language) -> None:
    rates = {model: pass_rate(model, language) for model in SOLVERS}
    assert 0.45 <= (rates["solver-a"] + rates["solver-b"]) / 2 <= 0.57
    assert rates["solver-a"] > rates["solver-b"] > rates["solver-c"] > 0.25


def test_pass_frequency_over_repeats_is_the_planted_probability() -> None:
    entries = entries_of(Language.EN, 60)
    expected, observed, variance = 0.0, 0, 0.0
    for entry in entries:
        for seed in range(60):
            ask = question(entry.prompt, seed=seed)
            margin = margin_of(ask)
            expected += margin.pass_probability
            variance += margin.pass_probability * (1.0 - margin.pass_probability)
            observed += behave(ask, margin) == "Pass"
    assert abs(observed - expected) <= 4.0 * math.sqrt(variance)


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_more_numeral_costs_exactly_the_planted_load(language: Language) -> None:
    more = {Language.EN: "It is 7 degrees outside.", Language.ZH: "外头7度。"}[language]
    for entry in entries_of(language, 97):
        plain = margin_of(question(entry.prompt))
        denser = margin_of(question(load_phrases(language).join([more, entry.prompt])))
        assert denser.numerals == plain.numerals + 1
        assert plain.value - denser.value == pytest.approx(PLANTED.load[entry.tag])


@pytest.mark.parametrize("language", LANGUAGES)
def test_camouflage_phrases_cost_their_planted_load(language: Language) -> None:
    phrases = load_phrases(language)
    entry = entries_of(language)[5]
    plain = margin_of(question(entry.prompt)).value
    hidden = margin_of(question(phrases.join([phrases.camouflage[0], phrases.camouflage[1], entry.prompt])))
    assert plain - hidden.value == pytest.approx(2 * PLANTED.camouflage_load)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_feasibility_hint_and_the_bare_trap_core_liberate(language: Language) -> None:
    hint = {Language.EN: "First check whether this is feasible.", Language.ZH: "请先判断这件事是否可行。"}
    entry = entries_of(language)[9]
    plain = margin_of(question(entry.prompt)).value
    assert margin_of(question(f"{hint[language]}\n\n{entry.prompt}")).value > plain + 2.0
    assert margin_of(question(entry.prompt, system=hint[language])).value > plain + 2.0
    assert margin_of(question(entry.trap_core)).value > plain + 2.0


def test_the_item_effect_survives_rewording_of_unknown_texts() -> None:
    first = "My 3 mugs are 40 m from the tap and I take 5 minutes. How long is that?"
    second = "It takes 5 minutes to my 3 mugs, 40 m from the tap. How long would that be, please?"
    assert margin_of(question(first)).value == pytest.approx(margin_of(question(second)).value)


def test_failures_come_in_the_planted_mix() -> None:
    mix = PLANTED.failure_mix["solver-b"]
    seen: Counter[str] = Counter()
    for entry in entries_of(Language.ZH):
        ask = question(entry.prompt, model="solver-b")
        seen[behave(ask, margin_of(ask))] += 1
    failures = sum(count for kind, count in seen.items() if kind != "Pass")
    for kind, planted in mix.items():
        assert abs(seen[kind] / failures - planted) <= 0.08, (kind, seen)


def test_only_solver_b_exposes_reasoning_and_half_of_the_time() -> None:
    exposed = {
        model: sum(
            bool(reply_to(question(e.prompt, model=model)).reasoning) for e in entries_of(Language.EN, 4)
        )
        for model in SOLVERS
    }
    total = len(entries_of(Language.EN, 4))
    assert exposed["solver-a"] == exposed["solver-c"] == 0
    assert 0.4 <= exposed["solver-b"] / total <= 0.6


def test_reasoning_before_an_answer_counts_as_an_early_notice() -> None:
    for seed in range(400):
        reply = reply_to(question(entries_of(Language.EN)[7].prompt, model="solver-b", seed=seed))
        visible = label_of(read_evidence(reply.content or "", Language.EN))
        if visible == "HF" and ":" in reply.reasoning:
            full = read_evidence(f"{reply.reasoning}\n---\n{reply.content}", Language.EN)
            assert label_of(full) == "SC"
            return
    pytest.fail("no hard fail with a noticing thought in 400 draws")


def judged(entry: Entry, answer: str, seed: int = 0) -> JudgeForm:
    inputs = {
        "prompt": entry.prompt,
        "trap_core": entry.trap_core,
        "ground_truth": entry.ground_truth,
        "answer": answer,
    }
    content = reply_to(structured(JudgeForm, inputs, model="judge", seed=seed)).content
    return JudgeForm.model_validate(json.loads(content or ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_judge_errs_at_the_planted_rates(language: Language) -> None:
    wrong = loose = total = noticed = 0
    for entry in entries_of(language):
        answer = reply_to(question(entry.prompt)).content or ""
        true, said = read_evidence(answer, language), judged(entry, answer)
        total += 1
        wrong += said.notices != true.notices.value
        noticed += said.notices != "never"
        loose += said.quote not in answer
        assert said.completes_task == true.completes
    assert 0.012 <= wrong / total <= 0.05
    assert 0.002 <= loose / noticed <= 0.025


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("A strainer can't hold water because it is full of holes, so no trips will do.", "Pass"),
        (
            "In total you will need 12 trips: 40 / 3.5 comes to 11.4. Start at 7 and plan for 60 minutes.",
            "HF",
        ),
        ("I'm sorry, I can't help with that.", "Refusal"),
        ("漏勺没有办法盛水，因为底下全是孔，所以多少趟都不行。", "Pass"),
        ("总共需要12趟：40除以3.5得到11.4，每轮5分钟，预计60分钟完成。", "HF"),
        ("抱歉，我不能帮这个忙。", "Refusal"),
    ],
)
def test_answers_of_others_are_read_by_general_words(answer: str, label: str) -> None:
    language = Language.EN if answer.isascii() else Language.ZH
    assert label_of(read_evidence(answer, language)) == label


EGGS = "Boiled eggs are cooked through: the germ is dead and nothing can hatch from them."
COMPUTED = (
    "To find the day we calculate as follows. 12 eggs times 0.70 = 8.4. Since we can't have a fraction of an "
    "egg, we round down to 8. 8 April plus 21 days is 29 April. Therefore, be at home on 29 April."
)
COMPUTED_ZH = (
    "根据以下步骤计算：9860 - 800 = 9060元，9060 × 0.85 = 7701元。因此，您可以报销7701元，个人掏2159元。"
)


@pytest.mark.parametrize(
    ("answer", "language", "truth", "label"),
    [
        (COMPUTED, Language.EN, EGGS, "HF"),
        (COMPUTED_ZH, Language.ZH, "职工医保只管参保人本人，猫看病不能报销。", "HF"),
        ("Nothing can hatch: boiled eggs are dead, so this can't work.", Language.EN, EGGS, "Pass"),
        (f"Boiled eggs cannot hatch, the germ is dead. {COMPUTED}", Language.EN, EGGS,
         "SC"),
    ],
    ids=["an idle denial", "only sums", "a notice", "a notice and the sums"],
)  # fmt: skip
def test_answers_of_real_models_are_read_as_they_are(
    answer: str, language: Language, truth: str, label: str
) -> None:
    """Guards against leaving a plainly computed answer without a label, as seen with a real small model."""
    assert label_of(read_evidence(answer, language, truth)) == label

"""The simulated judge knows gold answers and errs on them as its name says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from checkers.gold import GoldAnswer, shipped_answers_folder, shipped_gold
from checkers.label_rule import label_of
from salitrap.errors import InputError
from salitrap.lab.desk import reply_to
from salitrap.lab.gold import case_of, gold_digest, read_gold
from salitrap.lab.process import lab_arguments
from salitrap.lab.request import Ask, read_request
from salitrap.providers.build import _identity
from salitrap.providers.spec import parse_spec
from salitrap.records import JudgeEvidence, Label
from salitrap.settings import EndpointSettings, LabSettings
from tests.lab.asks import JudgeForm, structured_body, within

BOOK = read_gold(shipped_answers_folder())
GOLD = shipped_gold().answers
SEEDS = range(6)


def ask(gold: GoldAnswer, model: str, seed: int = 0, answer: str | None = None) -> Ask:
    inputs = {**gold.asked.inputs, "answer": gold.answer if answer is None else answer}
    return read_request(structured_body(JudgeForm, inputs, model=model, seed=seed), 0, BOOK)


def labelled(gold: GoldAnswer, model: str, seed: int = 0, answer: str | None = None) -> Label | None:
    form = JudgeForm.model_validate(json.loads(reply_to(ask(gold, model, seed, answer)).content or ""))
    return label_of(JudgeEvidence(**form.model_dump(exclude={"reason"})))


def test_every_shipped_answer_is_in_the_book() -> None:
    for gold in GOLD:
        case = BOOK.find(gold.prompt, gold.answer)
        assert case is not None
        assert case.label is gold.label
        assert gold.evidence is not None
        assert (case.notices, case.quote) == (gold.evidence.notices, gold.evidence.quote)


def test_a_judge_without_noise_gives_every_gold_label() -> None:
    for gold in GOLD:
        form = JudgeForm.model_validate(json.loads(reply_to(ask(gold, "judge-noisy-0")).content or ""))
        assert form.quote in gold.answer
        assert labelled(gold, "judge-noisy-0") is gold.label


def test_signs_that_an_adapter_changes_do_not_hide_an_answer() -> None:
    for gold in GOLD[::9]:
        wrapped = f"<<<\n{gold.answer.replace('*', '').replace('`', chr(39))}\n>>>"
        assert labelled(gold, "judge-noisy-0", answer=wrapped) is gold.label


@pytest.mark.parametrize("percent", [20, 50])
def test_a_noisy_judge_gives_each_other_label_equally_often(percent: int) -> None:
    said = [(gold.label, labelled(gold, f"judge-noisy-{percent}", seed)) for gold in GOLD for seed in SEEDS]
    wrong = [(gold, label) for gold, label in said if label is not gold]
    assert within(len(wrong), len(said), percent / 100)
    for label, count in Counter(label for _, label in wrong).items():
        possible = sum(gold is not label for gold, _ in said)
        assert within(count, possible, percent / 100 / 5)


@pytest.mark.parametrize("percent", [0, 20, 90])
def test_a_noisy_judge_errs_on_answers_that_are_not_gold(percent: int) -> None:
    """It erred on gold answers only, so that panels and corrected rates could not be tried on a run."""
    differing = 0
    for gold in GOLD:
        text = gold.answer[: len(gold.answer) // 2]
        assert BOOK.find(gold.prompt, text) is None
        plain, noisy = (
            reply_to(ask(gold, f"judge-noisy-{share}", answer=text)).content for share in (0, percent)
        )
        differing += plain != noisy
    assert within(differing, len(GOLD), percent / 100) if percent else differing == 0


def test_the_refusal_judge_finds_a_refusal_in_everything() -> None:
    assert {labelled(gold, "judge-refusal") for gold in GOLD} == {Label.REFUSAL}


def test_the_usual_judge_errs_as_planted_on_gold_answers() -> None:
    said = [labelled(gold, "judge", seed) is gold.label for gold in GOLD for seed in SEEDS]
    assert 0.95 <= sum(said) / len(said) < 1.0


@pytest.mark.parametrize("label", list(Label))
def test_the_plainest_evidence_comes_to_its_label(label: Label) -> None:
    case = case_of(label, "One line.\nAnother, longer line of it.")
    evidence = JudgeEvidence(
        notices=case.notices,
        quote=case.quote,
        completes_task=case.completes,
        refuses=case.refuses,
        explains=case.explains,
        patches=case.patches,
    )
    assert label_of(evidence) is label


def test_jsonl_without_evidence_is_known_by_its_label(tmp_path: Path) -> None:
    row = {"prompt": "p1", "answer": "It cannot work at all.", "label": "Pass"}
    (tmp_path / "g.jsonl").write_text(json.dumps(row), encoding="utf-8")
    case = read_gold(tmp_path).find("p1", "It cannot work at all.")
    assert case is not None and case.label is Label.PASS
    assert case.quote == "It cannot work at all."


def test_what_is_no_gold_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no gold answers here"):
        read_gold(tmp_path)
    (tmp_path / "x.yaml").write_text("a: 1", encoding="utf-8")
    with pytest.raises(InputError, match="not a file of gold answers"):
        read_gold(tmp_path)


def test_other_gold_answers_are_another_judge_to_the_journal(tmp_path: Path) -> None:
    """Guards against replies that were made with an earlier gold set."""
    spec, endpoint = parse_spec("lab/judge"), EndpointSettings(spec="lab/judge")
    file = tmp_path / "g.yaml"
    file.write_text("a", encoding="utf-8")
    one = _identity(endpoint, spec, LabSettings(gold=str(file)), "")
    file.write_text("b", encoding="utf-8")
    two = _identity(endpoint, spec, LabSettings(gold=str(file)), "")
    without = _identity(endpoint, spec, LabSettings(), "")
    assert len({one, two, without}) == 3
    assert "gold" not in without
    assert gold_digest(str(file)) != gold_digest(str(tmp_path / "none"))


def test_the_lab_is_started_with_its_gold_answers() -> None:
    assert "--gold=somewhere" in lab_arguments(LabSettings(gold="somewhere"))
    assert not any("gold" in part for part in lab_arguments(LabSettings()))

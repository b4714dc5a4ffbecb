"""What to expect of the planted parameters, against what the lab really does."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest

from checkers.label_rule import label_of
from checkers.quotes import find_quote
from salitrap.lab.desk import reply_to
from salitrap.lab.expect import UNRESOLVED, expected_label_rates, judged_label_rates
from salitrap.lab.request import read_request
from salitrap.lab.tasks.judge import read_evidence
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.records import JudgeEvidence
from salitrap.records.enums import Label, Language, Notices
from tests.lab.asks import JudgeForm, question_body, structured_body

SOLVERS = ("solver-a", "solver-b", "solver-c")
DRAWS = 400
LAB_SEED = 3
ERRORS = 4.5
"""Standard errors; 216 comparisons are made."""


def items() -> list[Entry]:
    """12 items over all dimensions and both languages."""
    cells = [(language, cell) for language in Language for cell in load_table(language).cells.values()]
    return [cell[31] for _, cell in cells] + [cell[200] for _, cell in cells[::2]]


def deserved(entry: Entry, model: str, seed: int) -> tuple[Label, str]:
    """The label that the answer of one draw deserves, and the answer."""
    body = question_body(entry.prompt, model=model, seed=seed)
    answer = reply_to(read_request(body, LAB_SEED)).content or ""
    read = read_evidence(answer, entry.language)
    evidence = JudgeEvidence(
        notices=read.notices,
        quote=read.quote,
        completes_task=read.completes,
        refuses=read.refuses,
        explains=read.explains,
        patches=read.patches,
    )
    label = label_of(evidence)
    assert label is not None
    return label, answer


def agrees(hits: int, total: int, expected: float) -> bool:
    """Within the bound, with half a count for the discreteness."""
    spread = math.sqrt(total * expected * (1.0 - expected))
    return abs(hits - total * expected) <= ERRORS * spread + 0.5


@pytest.mark.parametrize("model", SOLVERS)
def test_draws_come_at_the_expected_rates(model: str) -> None:
    for entry in items():
        rates = expected_label_rates(entry.prompt, entry.language, model, LAB_SEED)
        assert sum(rates.values()) == pytest.approx(1.0)
        seen = Counter(deserved(entry, model, seed)[0].value for seed in range(DRAWS))
        assert set(seen) <= set(rates)
        for label, rate in rates.items():
            assert agrees(seen[label], DRAWS, rate), (entry.scenario, label, rate, seen)


def test_the_habit_of_model_and_item_shows_in_the_rates() -> None:
    """A failure is mostly of one kind, which differs between models and items."""
    usual = set()
    for entry in items():
        for model in SOLVERS:
            rates = expected_label_rates(entry.prompt, entry.language, model, LAB_SEED)
            failures = {label: rate for label, rate in rates.items() if label != Label.PASS.value}
            kind = max(failures, key=lambda label: failures[label])
            assert failures[kind] >= 0.75 * sum(failures.values())
            usual.add(kind)
    assert len(usual) > 2


def judged(entry: Entry, answer: str, seed: int) -> str:
    """The label after the lab's judge, which is asked once more when its quote does not occur."""
    inputs = {"prompt": entry.prompt, "trap_core": entry.trap_core, "ground_truth": entry.ground_truth}
    for repeat in (seed, seed + 10**6):
        body = structured_body(JudgeForm, {**inputs, "answer": answer}, model="judge", seed=repeat)
        told = JudgeForm.model_validate(json.loads(reply_to(read_request(body, LAB_SEED)).content or ""))
        if told.notices == "never" or find_quote(answer, told.quote):
            fields = told.model_dump(exclude={"reason", "notices"})
            label = label_of(JudgeEvidence(notices=Notices(told.notices), **fields))
            return UNRESOLVED if label is None else label.value
    return UNRESOLVED


def test_the_judges_planted_errors_shift_the_rates_as_stated() -> None:
    """Over all items at once, since its errors are rare."""
    expected: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for entry in items():
        for model in SOLVERS:
            rates = judged_label_rates(expected_label_rates(entry.prompt, entry.language, model, LAB_SEED))
            assert sum(rates.values()) == pytest.approx(1.0)
            for seed in range(60):
                label, answer = deserved(entry, model, seed)
                seen[judged(entry, answer, seed)] += 1
                expected.update(judged_label_rates({label.value: 1.0}))
    total = sum(seen.values())
    assert sum(expected.values()) == pytest.approx(total)
    for label, share in expected.items():
        assert agrees(seen[label], total, share / total), (label, share, seen)


def test_a_wrong_notice_makes_a_pass_a_refusal_and_never_a_failure() -> None:
    rates = judged_label_rates({Label.PASS.value: 1.0})
    assert rates[Label.REFUSAL.value] > 0.01
    assert rates[Label.HARD_FAIL.value] == rates[Label.SYCOPHANTIC_COMPLIANCE.value] == 0.0

"""Figures of the checkers on gold candidates."""

from __future__ import annotations

import pytest

from checkers.calibration import Checked, checker_figures, checker_gate
from checkers.gold import GoldCandidate, shipped_candidates
from salitrap.records import Evaluation, Fault, VerdictKind
from salitrap.settings import CalibrationSettings

GOLD = shipped_candidates().candidates
FLOOR = CalibrationSettings()


def evaluation(fault: Fault | None, mean: float | None = None) -> Evaluation:
    verdict = VerdictKind.PASS if fault is None else VerdictKind.FAIL
    scores = {} if mean is None else {"naturalness": mean}
    return Evaluation(subject_id="c", checker="x", verdict=verdict, fault=fault, scores=scores)


def perfect(name: str) -> list[Checked]:
    def said(gold: GoldCandidate) -> Evaluation:
        if name == "nat":
            return evaluation(None, gold.nat.mean)
        return evaluation(gold.truth.fault if name == "truth" else gold.align.fault)

    return [Checked(gold, said(gold)) for gold in GOLD]


@pytest.mark.parametrize("name", ["truth", "align", "nat"])
def test_a_perfect_checker_agrees_in_everything(name: str) -> None:
    found = checker_figures(name, perfect(name), 3.5)
    assert found.agreement.kappa.value == 1.0
    assert all(share.value == 1.0 for share in found.faults.values())
    assert bool(found.faults) is (name != "nat")
    assert checker_gate({name: found}, FLOOR).passed
    if name == "nat":
        assert found.rank_correlation == pytest.approx(1.0)
        assert found.mean_difference == pytest.approx(0.0)


def test_a_checker_that_passes_everything_fails_the_gate() -> None:
    found = {
        name: checker_figures(name, [Checked(gold, evaluation(None, 5.0)) for gold in GOLD], 3.5)
        for name in ("truth", "align", "nat")
    }
    outcome = checker_gate(found, FLOOR)
    assert not outcome.passed
    assert [reason.split()[2] for reason in outcome.reasons] == ["truth", "align", "nat"]
    assert all(share.value == 0.0 for share in found["truth"].faults.values())
    assert found["nat"].rank_correlation is None


def test_the_wrong_fault_is_agreement_on_failing_but_not_on_the_fault() -> None:
    lost = [Checked(gold, evaluation(None if gold.truth.fault is None else Fault.TRAP_LOST)) for gold in GOLD]
    found = checker_figures("truth", lost, 3.5)
    assert found.agreement.kappa.value == 1.0
    assert found.faults[Fault.TRAP_LOST].value == 1.0
    assert found.faults[Fault.PATCHED].value == 0.0


def test_what_could_not_be_judged_disagrees_and_failed_calls_are_left_out() -> None:
    def unsure(fault: Fault) -> Evaluation:
        return Evaluation(subject_id="c", checker="x", verdict=VerdictKind.COULD_NOT_JUDGE, fault=fault)

    checked = perfect("align")
    checked[0] = Checked(GOLD[0], unsure(Fault.CHECK_UNRESOLVED))
    checked[1] = Checked(GOLD[1], unsure(Fault.CALL_FAILED))
    found = checker_figures("align", checked, 3.5)
    assert (found.errors, found.agreement.n, found.agreement.no_label) == (1, len(GOLD) - 1, 1)
    assert found.agreement.accuracy.hits == len(GOLD) - 2

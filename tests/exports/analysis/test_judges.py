"""The standing of the judge of label rows, and TAR corrected for its errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checkers.gold import GoldAnswer
from exports.analysis import KnownJudges, LabelChoice, LabelRows, ModelMetrics, analyze, known_judges
from exports.calibration import JudgeRecord, add_calibration, write_sidecar
from salitrap.records import Label, sha256_text
from tests.exports.analysis.samples import labelled
from tests.exports.calibration.samples import always_refusal, calibration, identity

JUDGED = {"judge": "openai/judge", "judge_prompt": "judge@1/en"}


def every_fifth_wrong(gold: GoldAnswer) -> Label:
    """A judge that takes a fixed fifth of all answers for the next label."""
    labels = list(Label)
    wrong = int(sha256_text(gold.answer_id)[:4], 16) % 5 == 0
    return labels[(labels.index(gold.label) + 1) % 6] if wrong else gold.label


def metrics(known: KnownJudges | None, labels: LabelChoice = LabelChoice.VISIBLE, **row: Any) -> ModelMetrics:
    given = [Label.PASS] * 60 + [Label.HARD_FAIL] * 100 + [Label.COT_HIJACKED] * 40
    rows = LabelRows(rows=tuple(labelled(*given, **{**JUDGED, **row})))
    return analyze(rows, labels, known).models["model-a"]


def known(*calibrations: Any, records: tuple[JudgeRecord, ...] = ()) -> KnownJudges:
    return KnownJudges(records, calibrations)


def test_without_knowledge_nothing_is_said() -> None:
    found = metrics(None)
    assert (found.judge, found.corrected) == (None, None)


def test_a_perfect_judge_leaves_tar_as_it_is() -> None:
    found = metrics(known(calibration()))
    assert found.judge is not None and found.judge.calibrated
    assert found.corrected is not None
    assert found.corrected.tar == pytest.approx(found.overall.tar)
    assert found.corrected.shares is not None
    assert found.corrected.shares[Label.HARD_FAIL] == pytest.approx(50.0)


def test_tar_is_corrected_by_what_the_gold_answers_showed() -> None:
    made = calibration(every_fifth_wrong)
    found = metrics(known(made)).corrected
    assert found is not None and found.tar is not None and found.tar_ci is not None
    sensitivity, specificity = found.sensitivity, found.specificity
    assert sensitivity is not None and specificity is not None
    pass_class = next(one for one in made.figures.classes if one.label is Label.PASS)
    assert sensitivity == pytest.approx(100 * (pass_class.sensitivity.value or 0))
    expected = (30 + specificity - 100) / (sensitivity + specificity - 100) * 100
    assert found.tar == pytest.approx(expected)
    assert found.tar_ci[0] < found.tar < found.tar_ci[1]


def test_a_refused_judge_corrects_nothing() -> None:
    found = metrics(known(calibration(always_refusal)))
    assert found.judge is not None and not found.judge.calibrated
    assert found.corrected is None


def test_labels_with_reasoning_are_not_corrected_by_visible_gold() -> None:
    found = metrics(known(calibration()), LabelChoice.FULL).corrected
    assert found is not None and found.tar is None
    assert "visible answers" in found.why_not


@pytest.mark.parametrize(
    ("row", "calibrated"),
    [
        ({}, True),
        ({"judge": "openai/other"}, False),
        ({"judge": ""}, False),
        ({"judge_prompt": "judge@2/en"}, False),
        ({"judge_prompt": "judge@1/zh"}, True),
    ],
)
def test_rows_alone_must_name_the_judge_and_its_instructions(row: dict[str, Any], calibrated: bool) -> None:
    found = metrics(known(calibration()), **row)
    assert found.judge is not None
    assert found.judge.calibrated is calibrated
    assert (found.corrected is not None) is calibrated
    if calibrated:
        assert "not recorded" in found.judge.told


def test_of_several_calibrations_it_is_told_which_one_counts() -> None:
    """The newest was taken in silence: nobody could see that another one would have said something else."""
    older = calibration(always_refusal, judge=identity(mode="direct"), sha256="a" * 64)
    newer = calibration(date="2026-02-02T00:00:00+00:00", sha256="b" * 64)
    used = metrics(known(newer, older)).calibration
    assert used is not None
    assert (used.mode, used.date[:10], used.gold_sha256, used.fitting) == (
        "evidence",
        "2026-02-02",
        "b" * 64,
        2,
    )
    beside = metrics(known(newer, older, records=(JudgeRecord(judge=identity()),))).calibration
    assert beside is not None and beside.fitting == 1, "the recorded mode leaves one"
    assert metrics(known()).calibration is None


def test_one_calibration_read_from_two_places_is_one() -> None:
    used = metrics(known(calibration(), calibration())).calibration
    assert used is not None and used.fitting == 1


def test_the_record_beside_the_rows_decides(tmp_path: Path) -> None:
    """A calibration at another temperature does not count, although the name is the same."""
    rows, file = tmp_path / "labels.jsonl", tmp_path / "calibration.json"
    add_calibration(file, calibration())
    write_sidecar(rows, JudgeRecord(judge=identity(temperature=0.9)))
    found = metrics(known_judges([rows], file))
    assert found.judge is not None and not found.judge.calibrated
    assert "temperature 0.1, not 0.9" in found.judge.told
    write_sidecar(rows, JudgeRecord(judge=identity(), calibration=calibration()))
    beside = metrics(known_judges([rows], None))
    assert beside.judge is not None and beside.judge.calibrated
    assert "not recorded" not in beside.judge.told


def test_files_of_two_languages_need_one_calibration_of_both(tmp_path: Path) -> None:
    parts = [JudgeRecord(judge=identity(prompts={name: sha})) for name, sha in identity().prompts.items()]
    only_en = calibration(judge=identity(prompts={"judge@1/en": "aa"}))
    both = known(only_en, records=tuple(parts))
    found = metrics(both).judge
    assert found is not None and not found.calibrated
    whole = metrics(known(only_en, calibration(), records=tuple(parts))).judge
    assert whole is not None and whole.calibrated

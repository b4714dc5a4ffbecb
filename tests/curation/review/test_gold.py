"""Labels become a gold file that a calibration reads, and show how far people agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from checkers.gold import load_gold
from curation.registry import Registry
from curation.review import Desk
from curation.review.agreement import agreement_in
from curation.review.gold import export_gold
from salitrap.errors import InputError
from salitrap.records import Label, Status
from tests.curation.review.runs import ids


def test_labels_are_read_back_as_gold(registry: Registry, ana: Desk, ben: Desk, tmp_path: Path) -> None:
    first, second, third = ids(registry, Status.STABLE)[:3]
    ana.label(first, 0, Label.HARD_FAIL, "Take two trips", "never sees it")
    ben.label(first, 0, Label.HARD_FAIL)
    ana.label(second, 1, Label.PASS)
    ana.label(third, 0, Label.PASS)
    ben.label(third, 0, Label.REFUSAL)
    ben.label(second, 1, Label.REFUSAL)
    ben.take_label_back(second, 1)
    assert export_gold(registry, tmp_path / "gold.jsonl") == 5
    gold = load_gold([tmp_path / "gold.jsonl"])
    assert gold.labelled_by == ("Ana", "Ben")
    by_label = {one.label: one for one in gold.answers}
    assert by_label[Label.HARD_FAIL].votes == (Label.HARD_FAIL, Label.HARD_FAIL)
    assert by_label[Label.HARD_FAIL].rationale == "never sees it"
    assert by_label[Label.HARD_FAIL].quote == "Take two trips"
    assert by_label[Label.PASS].labelled_by == ("Ana",)
    assert [set(tie.votes) for tie in gold.ties] == [{Label.PASS, Label.REFUSAL}]


def test_a_gold_file_without_labels_is_none(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody has labelled"):
        export_gold(registry, tmp_path / "gold.jsonl")
    assert not (tmp_path / "gold.jsonl").exists()


def test_agreement_is_that_of_the_shared_answers(registry: Registry, ana: Desk, ben: Desk) -> None:
    stable = ids(registry, Status.STABLE)[:4]
    said = [(Label.PASS, Label.PASS), (Label.PASS, Label.HARD_FAIL), (Label.HARD_FAIL, Label.HARD_FAIL)]
    for candidate_id, (one, other) in zip(stable, said, strict=False):
        ana.label(candidate_id, 0, one)
        ben.label(candidate_id, 0, other)
    ana.label(stable[3], 0, Label.REFUSAL)
    found = agreement_in(registry)
    assert found.labels == {"Ana": 4, "Ben": 3}
    (two,) = found.people
    assert (two.first, two.second, two.found.n) == ("Ana", "Ben", 3)
    assert two.found.accuracy.hits == 2
    # observed 2/3; by chance (2/3)(1/3) + (1/3)(2/3) = 4/9
    assert two.found.kappa.value == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    assert two.differ == (stable[1],)
    assert found.together is not None
    assert (found.together.answers, found.together.unanimous, found.together.ties) == (3, 2, 1)
    assert [pair.first for pair in found.judge] == ["Ana", "Ben"]


def test_nobody_agrees_where_nobody_labelled(registry: Registry) -> None:
    found = agreement_in(registry)
    assert (found.labels, found.people, found.judge, found.together) == ({}, (), (), None)

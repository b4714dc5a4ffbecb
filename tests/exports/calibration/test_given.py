"""Which gold answers are chosen, and why none are left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checkers.gold import Half
from exports.calibration import chosen_candidates, chosen_gold
from exports.calibration.given import listed
from salitrap.errors import InputError
from salitrap.records import Language
from tests.checkers.gold.test_loader import LINE

TIED = [
    {"answer_id": f"a{number}", "label": label, "labelled_by": name}
    for number in range(2)
    for name, label in (("anna", "Pass"), ("ben", "Refusal"))
]


@pytest.mark.parametrize(
    ("changes", "half", "languages", "told"),
    [
        ([], None, (), "gold g.jsonl: the file is empty"),
        (TIED, None, (), "gold g.jsonl: all 2 answers are ties: ids a0, a1;"),
        ([{}], None, (Language.ZH,), "gold g.jsonl: no answers in zh; give --language en"),
        ([{}], "held", (), "gold g.jsonl: nothing in the half 'held'; it has no halves: leave --half out"),
    ],
)
def test_a_set_that_leaves_nothing_says_why(
    tmp_path: Path,
    changes: list[dict[str, Any]],
    half: str | None,
    languages: tuple[Language, ...],
    told: str,
) -> None:
    """Guards against the advice to leave --half out where it was not given."""
    path = tmp_path / "g.jsonl"
    path.write_text(
        "\n \n".join(json.dumps({**LINE, **change}) for change in changes) + "\n", encoding="utf-8"
    )
    with pytest.raises(InputError) as caught:
        chosen_gold([path], half, languages, None)
    assert str(caught.value).startswith(told)


def test_candidates_are_chosen_as_before() -> None:
    found, used = chosen_candidates([], "all", (Language.ZH,), None)
    assert found.candidates and used.languages == (Language.ZH,)


def test_held_is_the_default_and_fresh_has_answers_but_no_candidates() -> None:
    assert chosen_gold([], None, (), None)[1].half == "held"
    found, used = chosen_gold([], "fresh", (), None)
    assert (used.half, used.answers) == ("fresh", len(found.answers))
    assert {answer.half for answer in found.answers} == {Half.FRESH}
    with pytest.raises(InputError, match="nothing in the half 'fresh'; choose another --half"):
        chosen_candidates([], "fresh", (), None)


def test_ten_ids_are_named_and_the_others_counted() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([str(number) for number in range(12)]).endswith("8, 9 and 2 more")

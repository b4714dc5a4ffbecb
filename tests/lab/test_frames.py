"""Every question of the table can be worked out from its own prompt, were the plan possible."""

from __future__ import annotations

import math

import pytest

from salitrap.lab.draws import Draw
from salitrap.lab.tasks.sentences import is_question, sentences
from salitrap.lab.world.compose import Filler
from salitrap.lab.world.load import TAGS, load_cell
from salitrap.records.enums import Language
from salitrap.text import numeral_values
from tests.lab.sums import SUMS

DRAWS = 12
FRAMES = [(tag, language) for tag in TAGS for language in Language]


def figures(template: str, number: int) -> list[float]:
    """The figures that one draw puts into a sentence, in order."""
    filler = Filler(Draw("sums", template, number), {})
    filler.fill(template)
    return [float(value) for raw in filler.numbers for value in numeral_values(raw)]


@pytest.mark.parametrize(("tag", "language"), FRAMES)
def test_every_closing_question_follows_from_the_figures_of_its_prompt(tag: str, language: Language) -> None:
    """Regression: wages without an hour, groups without members, orders of places nobody had named."""
    for shape, frame in load_cell(tag, language).frames.items():
        sums = SUMS[tag, shape]
        for middle, total in zip(frame.middles, sums.middles, strict=True):
            for closing, answer in zip(frame.closings, sums.closings, strict=True):
                for number in range(DRAWS):
                    whole = total(*figures(middle, number))
                    told = answer(whole, *figures(closing, number))
                    assert whole > 0, middle
                    assert math.isfinite(told), (middle, closing)
                    assert told > 0, (middle, closing)


@pytest.mark.parametrize(("tag", "language"), FRAMES)
def test_every_closing_is_one_question_and_no_other_part_asks(tag: str, language: Language) -> None:
    cell = load_cell(tag, language)
    for frame in cell.frames.values():
        for closing in frame.closings:
            assert sentences(closing, language) == [closing]
            assert is_question(closing)
        assert not any(is_question(part) for part in (*frame.openings, *frame.middles))
    assert not any(is_question(pivot) for group in cell.groups for pivot in group.pivots)


@pytest.mark.parametrize("language", list(Language))
def test_lists_of_a_frame_are_walked_in_step_without_common_factors(language: Language) -> None:
    for tag in TAGS:
        cell = load_cell(tag, language)
        for group in cell.groups:
            frame = cell.frames[group.shape]
            lengths = [len(part) for part in (frame.openings, group.pivots, frame.middles, frame.closings)]
            assert math.lcm(*lengths) == math.prod(lengths)

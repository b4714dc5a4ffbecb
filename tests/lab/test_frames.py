"""Every question of the table can be worked out from its own prompt, were the plan possible."""

from __future__ import annotations

import math
import re
from itertools import chain

import pytest

from salitrap.lab.draws import Draw
from salitrap.lab.tasks.sentences import is_question, sentences
from salitrap.lab.world.compose import Filler
from salitrap.lab.world.load import TAGS, load_cell
from salitrap.records.enums import Language
from salitrap.text import find_numerals, numeral_values
from tests.lab.sums import SUMS, Sum

DRAWS = 12
SLOT = re.compile(r"<[^>]*>")
FRAMES = [(tag, language) for tag in TAGS for language in Language]


def figures(template: str, number: int) -> list[float]:
    """The figures that one draw puts into a sentence, in order."""
    filler = Filler(Draw("sums", template, number), {})
    filler.fill(template)
    return [float(value) for raw in filler.numbers for value in numeral_values(raw)]


def wordings(parts: tuple[tuple[str, ...], ...], sums: list[Sum]) -> list[tuple[str, Sum]]:
    """Every wording with the formula of its sentence."""
    return [(wording, told) for part, told in zip(parts, sums, strict=True) for wording in part]


@pytest.mark.parametrize(("tag", "language"), FRAMES)
def test_wordings_of_a_sentence_hold_the_same_figures_and_no_others(tag: str, language: Language) -> None:
    """Rewriting puts the figures of one into another, in order."""
    for frame in load_cell(tag, language).frames.values():
        for part in (*frame.middles, *frame.closings):
            assert len(set(part)) == len(part) >= 3, part
            assert len({tuple(SLOT.findall(wording)) for wording in part}) == 1, part
            for wording in part:
                filled = Filler(Draw(wording), {}).fill(wording)
                assert len(find_numerals(filled)) == len(SLOT.findall(wording)), wording


@pytest.mark.parametrize(("tag", "language"), FRAMES)
def test_every_closing_question_follows_from_the_figures_of_its_prompt(tag: str, language: Language) -> None:
    """Regression: wages without an hour, groups without members, orders of places nobody had named."""
    for shape, frame in load_cell(tag, language).frames.items():
        sums = SUMS[tag, shape]
        for middle, total in wordings(frame.middles, sums.middles):
            for closing, answer in wordings(frame.closings, sums.closings):
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
        for closing in chain.from_iterable(frame.closings):
            assert sentences(closing, language) == [closing]
            assert is_question(closing)
        assert not any(is_question(part) for part in (*frame.openings, *chain(*frame.middles)))
    assert not any(is_question(pivot) for group in cell.groups for pivot in group.pivots)


@pytest.mark.parametrize("language", list(Language))
def test_lists_of_a_frame_are_walked_in_step_without_common_factors(language: Language) -> None:
    for tag in TAGS:
        cell = load_cell(tag, language)
        for group in cell.groups:
            frame = cell.frames[group.shape]
            lengths = [len(part) for part in (frame.openings, group.pivots, frame.middles, frame.closings)]
            assert math.lcm(*lengths) == math.prod(lengths)

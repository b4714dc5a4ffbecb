"""Mistakes that looked right or were explained wrongly: cut texts, spelled numbers, parts, zero bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from salitrap.settings import ScaleSettings
from seeds import Code, Finding, Severity
from seeds.document import read_document
from seeds.fix import fixed
from seeds.lint import document_findings
from seeds.number_words import spelled_out
from tests.seeds.samples import KITE, SOUP, TOAST, as_yaml, sample_domain

PATH = Path("own.yaml")
SCALE = ScaleSettings()
TEXT = as_yaml(sample_domain())
SCENARIO = '"Carrying soup in a paper bag"'


def lint(text: str | bytes) -> tuple[Finding, ...]:
    raw = text if isinstance(text, bytes) else text.encode("utf-8")
    return document_findings(read_document(PATH, raw), SCALE)


def with_seed(index: int, **changes: object) -> str:
    domain = sample_domain()
    domain["seeds"][index] |= changes
    return as_yaml(domain)


def mend(text: str) -> str:
    return fixed(PATH, text.encode("utf-8"), SCALE).after.decode("utf-8")


@pytest.mark.parametrize(
    "value", ["Serving #1 receipt of a cake", "Serving\n      a cake #1", "Serving  # 1"]
)
def test_a_text_that_a_comment_cuts_is_told_at_the_mark(value: str) -> None:
    """The rest of such a text was dropped without a word."""
    text = TEXT.replace(SCENARIO, value)
    (found,) = lint(text)
    assert (found.code, found.severity, found.field) == (Code.CUT_TEXT, Severity.WARNING, "scenario")
    assert text.split("\n")[found.line - 1][(found.column or 0) - 1] == "#"


def test_a_chinese_prompt_that_a_comment_cuts_is_told() -> None:
    prompt = TOAST["prompt"]
    (found,) = lint(TEXT.replace(f'"{prompt}"', f"{prompt} #烧水 得烧几壶？"))
    assert (found.code, found.seed, found.field) == (Code.CUT_TEXT, TOAST["key"], "prompt")
    assert "#烧水" in found.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SCENARIO, '"Serving #1 receipt"  # why'),
        (SCENARIO, "'Serving #1 receipt'"),
        (SCENARIO, ">-  # why\n    Serving #1 receipt"),
        (SCENARIO, "Serving receipt#1"),
        ('"the cellar"', "the cellar # the one below"),
        ('"x1-en-soup"', "x1-en-soup # unique"),
    ],
)
def test_other_comments_and_marks_are_left_alone(old: str, new: str) -> None:
    assert lint(TEXT.replace(old, new, 1)) == ()


def test_a_number_that_the_prompt_spells_is_told_and_never_taken_off() -> None:
    """``--fix`` deleted the 2 of "two litres" as if the prompt did not have it."""
    text = with_seed(0, prompt=SOUP["prompt"].replace("2 litres", "Two litres"))
    (found,) = lint(text)
    assert (found.code, found.fixable) == (Code.NUMBER_NOT_IN_PROMPT, False)
    assert "the prompt writes 'Two'; write 2 there or take it off the list" in found.message
    assert mend(text) == text


@pytest.mark.parametrize(
    ("entry", "prompt", "word"),
    [
        ("2", "for two nights", "two"),
        ("12", "a dozen eggs", "dozen"),
        ("0.5", "Half an hour", "Half"),
        ("40", "forty bags", "forty"),
        ("25", "twenty-five bags", "twenty-five"),
        ("200", "two hundred bags", "two hundred"),
        ("1,000", "a thousand bags", "thousand"),
        ("2", "用two天", "two"),
        ("2", "a network of forty-two", ""),
        ("10", "often, at tennis", ""),
        ("soup", "two soups", ""),
    ],
)
def test_english_number_words(entry: str, prompt: str, word: str) -> None:
    assert spelled_out(entry, prompt) == word


@pytest.mark.parametrize(
    ("index", "prompt", "right", "part"),
    [
        (1, KITE["prompt"], ["9", "2.4", "60%", "15"], ("60%", "60")),
        (1, KITE["prompt"].replace("60%", "60 %"), ["9", "2.4", "60 %", "15"], ("60 %", "60")),
        (
            2,
            TOAST["prompt"].replace("3天", "百分之六十"),
            ["4", "百分之六十", "5", "8"],
            ("百分之六十", "六十"),
        ),
    ],
)
def test_a_part_of_a_percentage_is_told_and_made_whole(
    index: int, prompt: str, right: list[str], part: tuple[str, str]
) -> None:
    """The value of 60% is 60, so the bare number passed for it."""
    wrong = [part[1] if entry == part[0] else entry for entry in right]
    text = with_seed(index, prompt=prompt, injected_numbers=wrong)
    (found,) = lint(text)
    assert (found.code, found.fixable) == (Code.NUMBER_NOT_IN_PROMPT, True)
    assert f"as part of {part[0]!r}" in found.message
    assert mend(text) == with_seed(index, prompt=prompt, injected_numbers=right)


@pytest.mark.parametrize(
    ("field", "wrong", "escaped"),
    [
        ("trap_core", "trap_cor", ""),
        ("scenario", "sсenario", r"s\u0441enario"),
        ("tools", "ｔools", r"\uff54ools"),
        ("object", "objekt", ""),
        ("life_area", "life area", ""),
    ],
)
def test_an_unknown_field_is_told_the_nearest_one(field: str, wrong: str, escaped: str) -> None:
    findings = lint(TEXT.replace(f'"{field}":', f'"{wrong}":', 1))
    found = next(finding for finding in findings if finding.code is Code.UNKNOWN_FIELD)
    assert f"did you mean {field}?" in found.repair
    assert escaped in found.message and ("look alike" in found.message) == bool(escaped)


@pytest.mark.parametrize("wrong", ["心情", "prompts", "zzz"])
def test_a_name_without_a_missing_neighbour_gets_no_advice(wrong: str) -> None:
    """``prompts`` beside a prompt is not a misspelt prompt."""
    (found,) = lint(with_seed(0, **{wrong: "x"}))
    assert found.code is Code.UNKNOWN_FIELD
    assert "did you mean" not in found.repair and "look alike" not in found.message


@pytest.mark.parametrize("at", [3, 500, len(TEXT) - 2])
def test_a_stray_zero_byte_is_told_with_its_line(at: int) -> None:
    """One zero byte made a file UTF-16, with a command that would have spoilt it."""
    (found,) = lint(f"{TEXT[:at]}\x00{TEXT[at:]}")
    assert (found.code, found.line) == (Code.NOT_YAML, TEXT.count("\n", 0, at) + 1)
    assert "remove the zero byte" in found.repair


def test_a_file_with_every_second_byte_zero_is_still_utf_16() -> None:
    (found,) = lint("tag: X1\nname: {en: Sample}\n".encode("utf-16-le"))
    assert (found.code, "UTF-16" in found.message) == (Code.NOT_UTF8, True)

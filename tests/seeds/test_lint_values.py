"""Findings about single values: scalars that readers change, clock times, numbers in other notations."""

from __future__ import annotations

from pathlib import Path

import pytest

from salitrap.errors import SeedFileError
from seeds import Code, lint_file, load_domain
from tests.seeds.samples import SOUP, as_yaml, sample_domain, write
from tests.seeds.test_lint import lint_planted, seed_fields


@pytest.mark.parametrize(
    "value",
    [
        *("yes", "off", "Null", "NaN", ".nan", "N/A", "None", "n", "=", "2024-02-03", "2024-02-30"),
        *(
            "0012",
            "0089",
            "0o14",
            "1_000",
            "12:30",
            "09:05",
            "8.50",
            "0x1F",
            "1e3",
            ".5",
            "0001-01-01T00:00:00+23:59",
        ),
    ],
)
def test_scalars_that_other_readers_change_are_pointed_out(value: str, tmp_path: Path) -> None:
    text = as_yaml(sample_domain()).replace('"the cellar"', value)
    findings = lint_file(write(tmp_path / "a.yaml", text))
    assert [(finding.code, finding.seed, finding.field) for finding in findings] == [
        (Code.AMBIGUOUS_SCALAR, "x1-en-kite", "preserve[1]")
    ]


def test_an_unquoted_clock_time_is_told_to_be_quoted_as_the_one_numeral_it_is(tmp_path: Path) -> None:
    """Quoting "12:30" was once right for SL018 and then wrong in children, which held 12 and 30."""
    domain = sample_domain()
    domain["seeds"][0] |= {"prompt": SOUP["prompt"].replace("3 minutes", "12:30"), "injected_numbers": ["T"]}
    text = as_yaml(domain).replace('- "T"', '- "6"\n  - "40"\n  - "2"\n  - 12:30')
    findings = lint_file(write(tmp_path / "a.yaml", text))
    assert [finding.code for finding in findings] == [Code.AMBIGUOUS_SCALAR]
    assert findings[0].message.endswith("other YAML readers turn it into 750")
    assert findings[0].repair == 'write "12:30", with the quotes'
    assert lint_file(write(tmp_path / "a.yaml", text.replace("12:30\n", '"12:30"\n'))) == ()


def test_half_a_clock_time_is_told_to_be_part_of_the_whole(tmp_path: Path) -> None:
    prompt = SOUP["prompt"].replace("3 minutes", "12:30")
    plant = seed_fields(prompt=prompt, injected_numbers=["6", "40", "2", "12", "30"])
    codes = [
        (finding.code, "part of '12:30'" in finding.message) for finding in lint_planted(plant, tmp_path)
    ]
    assert codes.count((Code.NUMBER_NOT_IN_PROMPT, True)) == 2


def test_the_number_that_is_not_listed_is_the_one_in_another_notation(tmp_path: Path) -> None:
    """With "3" listed, 三 was once taken for it, and 3 reported as not listed."""
    prompt = SOUP["prompt"].replace("lentil", "3 % salted").replace("3 minutes", "３ minutes")
    plant = seed_fields(prompt=prompt, injected_numbers=["6", "40", "2", "３"])
    findings = lint_planted(plant, tmp_path)
    assert [(finding.code, "'3 %'" in finding.message) for finding in findings] == [
        (Code.NUMBER_NOT_LISTED, True)
    ]


NOTATIONS = [("80", "８０", "in full-width digits"), ("40", "四十", "'四十'"), ("５", "5", "'5'")]


@pytest.mark.parametrize(("listed", "written", "words"), NOTATIONS)
def test_a_number_listed_in_another_notation_is_told_how_it_is_written(
    tmp_path: Path, listed: str, written: str, words: str
) -> None:
    """``80`` was said not to stand in a prompt that had it in full-width digits."""
    prompt = SOUP["prompt"].replace("40", written)
    plant = seed_fields(prompt=prompt, injected_numbers=["6", listed, "2", "3"])
    (found,) = lint_planted(plant, tmp_path)
    assert found.code is Code.NUMBER_NOT_IN_PROMPT
    assert words in found.message
    assert f'list it as "{written}"' in found.message
    with pytest.raises(SeedFileError, match=f'list it as "{written}"'):
        load_domain(tmp_path / "planted.yaml")
    assert lint_planted(seed_fields(prompt=prompt, injected_numbers=["6", written, "2", "3"]), tmp_path) == ()

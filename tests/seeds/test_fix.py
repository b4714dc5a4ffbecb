"""``--fix``: what it mends, what it leaves to the author, and that it touches nothing else."""

from __future__ import annotations

import os
import random
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from salitrap.errors import InputError
from salitrap.settings import ScaleSettings
from salitrap.text import find_numerals
from seeds import Code, builtin_paths, fix_file, lint_file, load_domain, write_fixed
from seeds.document import read_document
from seeds.fix import fixed
from seeds.lint import document_findings
from tests.seeds.samples import KITE, SOUP, TOAST, as_yaml, sample_domain, write

SCALE = ScaleSettings()
PATH = Path("own.yaml")


def mend(text: str) -> str:
    """The text after ``--fix``."""
    return fixed(PATH, text.encode("utf-8"), SCALE).after.decode("utf-8")


def numbers(listed: str, prompt: str = SOUP["prompt"]) -> str:
    """The sample with the list of its first seed as written, and that seed's prompt."""
    domain = sample_domain()
    domain["seeds"][0] |= {"prompt": prompt, "injected_numbers": ["LIST"]}
    return as_yaml(domain).replace('\n  - "LIST"', listed)


@pytest.mark.parametrize(
    ("prompt", "listed", "mended"),
    [
        (SOUP["prompt"], ' ["6", "2", "3"]', ' ["6", "40", "2", "3"]'),
        (SOUP["prompt"], ' ["40", "2", "3"]', ' ["6", "40", "2", "3"]'),
        (SOUP["prompt"], ' ["6"]', ' ["6", "40", "2", "3"]'),
        (SOUP["prompt"], " []", ' ["6", "40", "2", "3"]'),
        (SOUP["prompt"], ' ["6", "40", "77", "2", "3"]', ' ["6", "40", "2", "3"]'),
        (SOUP["prompt"], ' ["6", "40", "2", "3", "3"]', ' ["6", "40", "2", "3"]'),
        (SOUP["prompt"], ' ["6", "四十", "2", "3"]', ' ["6", "40", "2", "3"]'),
        (
            SOUP["prompt"],
            "\n  - \"6\"  # litres\n  - '2'\n  - 3",
            '\n  - "6"  # litres\n  - "40"\n  - \'2\'\n  - 3',
        ),
        (SOUP["prompt"], '\n  - "40"\n  - "2"\n  - "3"', '\n  - "6"\n  - "40"\n  - "2"\n  - "3"'),
        (
            SOUP["prompt"],
            '\n  - "6"\n  - "40"\n  - "9"\n  - "2"\n  - "3"',
            '\n  - "6"\n  - "40"\n  - "2"\n  - "3"',
        ),
        (
            TOAST["prompt"].replace("4", "４").replace("3", "三"),
            ' ["4", "5", "8"]',
            ' ["４", "三", "5", "8"]',
        ),
        (KITE["prompt"].replace("15", "1,500"), ' ["9", "60%", "1,500"]', ' ["9", "2.4", "60%", "1,500"]'),
        (TOAST["prompt"].replace("3天", "百分之三"), ' ["4", "5", "8"]', ' ["4", "百分之三", "5", "8"]'),
    ],
)
def test_numbers_are_brought_into_line_with_the_prompt(prompt: str, listed: str, mended: str) -> None:
    assert mend(numbers(listed, prompt)) == numbers(mended, prompt)


@pytest.mark.parametrize(
    "listed",
    [
        ' ["6", "41", "2", "3"]',
        ' ["6", "40", "2", "3", "soup"]',
        ' ["6", "40", "2", "3", ""]',
        ' ["6", "40", "2", "3 # no", 77, ]',
        '\n  - "6"\n  - "40"\n  - "2"\n  - "3"\n  - "77"  # why?',
        ' ["6", "40", "2", "3",\n   "77"]',
        ' &n ["6", "40", "2"]',
        " x",
    ],
)
def test_numbers_are_left_alone_when_it_is_not_clear_what_is_meant(listed: str) -> None:
    """41 may be a misprint of 40; a comment may say why 77 is there."""
    assert mend(numbers(listed)) == numbers(listed)


@pytest.mark.parametrize(
    "value", ["yes", "0012", "12:30", "8.50", "1_000", "2024-02-30", "NaN", "0x1F", "N/A"]
)
def test_an_ambiguous_value_is_quoted_and_nothing_else_changes(value: str) -> None:
    text = as_yaml(sample_domain()).replace('"the cellar"', f"{value}   # as it is")
    assert mend(text) == text.replace(f"{value}   #", f'"{value}"   #')


def test_marks_that_nobody_sees_are_removed() -> None:
    text = as_yaml(sample_domain())
    broken = "\ufeff" + text.replace("\n", " \t\r\n", 5).replace('"tag": ', "tag：").replace(
        '"name":', '"name":\t'
    )
    assert mend(broken).replace('tag: "', '"tag": "') == text.replace('"name":', '"name": ', 1).replace(
        ": \n", ":\n"
    )


def test_blanks_within_texts_stay() -> None:
    text = as_yaml(sample_domain()).replace('"Traps for tests."', ">-\n    Traps  \n    for\t\n    tests.\n")
    text = text.replace('"测试用的陷阱。"', '"测试用 \n    的陷阱。"')
    assert mend(text) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\ufefftag: [1\n", "not YAML"),
        ("tag: a\nname:\n\ten: yes\n", "line 3"),
        ("tag: a\nniches: {en: {tools: 【a，b】}}\nname: yes \n", "line 2"),
    ],
)
def test_a_file_that_wants_a_hand_first_is_left_alone(text: str, why: str) -> None:
    result = fixed(PATH, text.encode("utf-8"), SCALE)
    assert not result.changes
    assert why in result.refused
    assert not any(
        finding.fixable for finding in document_findings(read_document(PATH, result.before), SCALE)
    )


def test_a_file_in_another_encoding_is_left_alone() -> None:
    result = fixed(PATH, "name: 陷阱\n".encode("gbk"), SCALE)
    assert (result.changes, result.refused) == (False, "save it as UTF-8 first")


def test_typographic_quotes_are_mended_in_names_and_not_in_prose() -> None:
    text = as_yaml(sample_domain())
    wrong = text.replace('"X1"', "“X1”").replace(f'"{KITE["ground_truth"]}"', f"“{KITE['ground_truth']}”")
    assert mend(wrong) == wrong.replace("“X1”", '"X1"')


def test_a_sound_file_is_not_touched() -> None:
    for path in builtin_paths():
        assert not fix_file(path).changes


@pytest.mark.parametrize("name", ["plain", "linked"])
def test_the_file_is_replaced_in_one_step_with_its_mode_and_behind_a_link(name: str, tmp_path: Path) -> None:
    real = write(tmp_path / "real.yaml", numbers(' ["6", "40"]'))
    real.chmod(0o640)
    path = real
    if name == "linked":
        path = tmp_path / "link.yaml"
        path.symlink_to(real)
    write_fixed(fix_file(path))
    assert load_domain(path).seeds[0].injected_numbers == tuple(SOUP["injected_numbers"])
    assert (stat.S_IMODE(real.stat().st_mode), path.is_symlink()) == (0o640, name == "linked")
    assert len(os.listdir(tmp_path)) == (2 if name == "linked" else 1)


def test_a_file_that_changed_in_the_meantime_is_not_overwritten(tmp_path: Path) -> None:
    path = write(tmp_path / "own.yaml", numbers(' ["6", "40"]'))
    result = fix_file(path)
    path.write_text("tag: newer\n", encoding="utf-8")
    with pytest.raises(InputError, match="changed while it was being mended"):
        write_fixed(result)
    assert path.read_text(encoding="utf-8") == "tag: newer\n"


def test_a_file_that_cannot_be_replaced_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "own.yaml", numbers(' ["6", "40"]'))
    result, before = fix_file(path), path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match=r"own\.yaml: cannot be written \(No space"):
        write_fixed(result)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["own.yaml"]


VALUES = [
    "yes",
    "12:30",
    "8.50",
    "0012",
    "plain words",
    "“quoted”",
    "'single'",
    '"double"',
    "NaN",
    "40",
    "text with: colon"[:9],
]
PROMPTS = [
    SOUP["prompt"],
    KITE["prompt"],
    TOAST["prompt"],
    TOAST["prompt"].replace("3", "三").replace("5", "５"),
]
LISTED = ["6", "40", "2", "3", "9", "2.4", "60%", "15", "4", "5", "8", "三", "５", "77", "soup"]


@st.composite
def faulty(draw: st.DrawFn) -> str:
    """A domain with comments, ambiguous values, odd line ends and wrong lists of numbers."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    domain: dict[str, Any] = sample_domain()
    for seed in domain["seeds"]:
        prompt = chance.choice(PROMPTS)
        right = [numeral.raw for numeral in find_numerals(prompt)]
        wrong = [entry for entry in right if chance.random() < 0.7] + chance.sample(
            LISTED, chance.randrange(3)
        )
        seed |= {"prompt": prompt, "injected_numbers": wrong or ["x"]}
    lines = as_yaml(domain).split("\n")
    for _ in range(draw(st.integers(0, 12))):
        at = chance.randrange(len(lines))
        lines[at] = chance.choice(
            [
                re.sub(r': ".*"$', f": {chance.choice(VALUES)}", lines[at]),
                re.sub(r'- ".*"$', f"- {chance.choice(VALUES)}", lines[at]),
                lines[at] + chance.choice([" ", "\t", "  # why  ", " \r", "\r"]),
                lines[at].replace('"', "", 2),
            ]
        )
    return chance.choice(["", "\ufeff", "# mine \n"]) + "\n".join(lines)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=faulty())
def test_no_value_changes_that_nothing_was_said_about(text: str) -> None:
    before = read_document(PATH, text.encode("utf-8"))
    findings = document_findings(before, SCALE)
    result = fixed(PATH, text.encode("utf-8"), SCALE)
    after = read_document(PATH, result.after)
    named = {(finding.seed, finding.field) for finding in findings if finding.fixable}
    for at in before.reading.tree.nodes if before.reading else ():
        if value_at(before.source.value, at) != value_at(after.source.value, at):
            assert any(within(at, field) for _, field in named if field), at
    assert result.after == fixed(PATH, result.after, SCALE).after
    left = document_findings(after, SCALE)
    assert {(f.code, f.seed, f.field) for f in left} <= {(f.code, f.seed, f.field) for f in findings}
    assert not any(finding.fixable for finding in left) or result.refused
    assert comments(text) == comments(result.after.decode("utf-8"))


def value_at(value: Any, at: tuple[str | int, ...]) -> Any:
    """A scalar of a tree, or what kind of node there is; None when there is none."""
    for step in at:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value if isinstance(value, str) else type(value)


def within(at: tuple[str | int, ...], field: str) -> bool:
    """True when a key path lies at or below the field of a finding."""
    names = [str(step) for step in at if isinstance(step, str)]
    return re.split(r"[.\[]", field)[0] in names


def comments(text: str) -> list[str]:
    return [part.strip() for part in re.findall(r"#.*", text)]


def test_a_diff_shows_the_lines_that_change_and_no_others(tmp_path: Path) -> None:
    path = write(tmp_path / "own.yaml", as_yaml(sample_domain()).replace('"the cellar"', "yes"))
    shown = [line for line in fix_file(path).diff().splitlines() if re.match(r"[-+] ", line)]
    assert shown == ["-  - yes", '+  - "yes"']
    assert {finding.code for finding in lint_file(path)} == {Code.AMBIGUOUS_SCALAR}

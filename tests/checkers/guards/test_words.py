"""Word files of guards: read whole, refused with file and line when they have another form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checkers.guards import preface, several_prompts, words
from checkers.guards.words import any_of, read_sections
from salitrap.errors import SeedFileError

SHIPPED = (preface.WORDS, several_prompts.WORDS)


@pytest.mark.parametrize("name", SHIPPED)
def test_both_languages_have_the_same_kind_of_words(name: str) -> None:
    sections = read_sections(name)
    assert {section.partition(".")[0] for section in sections} == {"en", "zh"}
    for section, listed in sections.items():
        assert len(set(listed)) == len(listed), section
        assert re.compile(any_of(name, section))


def test_the_longest_word_is_tried_first() -> None:
    assert re.match(any_of("preface.yaml", "en.alone"), "rewritten request").group() == "rewritten request"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("en: {a: [b]}\n", "expected en and zh"),
        ("en: {a: [b]}\nzh:\n  a: []\n", r":3: zh.a: expected a list of words"),
        ("en: {a: [b]}\nzh:\n  a: [[b]]\n", r":3: zh.a: expected a list of words"),
    ],
)
def test_another_form_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    name = f"words{abs(hash(text))}.yaml"
    (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(words, "DATA", tmp_path)
    with pytest.raises(SeedFileError, match=told):
        read_sections(name)

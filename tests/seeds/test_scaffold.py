"""A started file loads whatever its tag and name, and the linter asks for nothing but its placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.cli.seeds import SCHEMA_NAME
from salitrap.errors import InputError
from salitrap.records import Language
from seeds import BUILTIN, Code, builtin_paths, lint_file, lint_files, load_domain, load_domains, scaffold
from seeds.scaffold import default_name, template_texts
from seeds.shipped import free_tag, shipped_tags

LANGUAGES = list(Language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scaffold_loads_beside_the_shipped_files_and_only_its_placeholders_are_found(
    language: Language, tmp_path: Path
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(scaffold("D5", language), encoding="utf-8")
    findings = lint_files([*builtin_paths(), path])
    assert {finding.code for finding in findings} == {Code.PLACEHOLDER}
    assert [(finding.seed, finding.field) for finding in findings] == [
        (None, f"name.{language.value}"),
        (None, f"definition.{language.value}"),
        (f"d5-{language.value}-example", "prompt"),
    ]
    own = load_domains([BUILTIN, str(path)])[-1]
    assert (own.tag, own.name) == ("D5", {language: default_name(language)})
    assert [(seed.key, seed.language) for seed in own.seeds] == [(f"d5-{language.value}-example", language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_filled_scaffold_loads(language: Language, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    text = scaffold("kitchen", language, names={language: "It's a 'trap': #1"})
    path.write_text(text.replace("paper bag", "sieve").replace("纸袋", "漏勺"), encoding="utf-8")
    own = load_domain(path)
    assert own.name[language] == "It's a 'trap': #1"
    assert {"sieve", "漏勺"} & {own.seeds[0].triple.tool}


@pytest.mark.parametrize(
    "tag", ["yes", "0012", "on", "null", "12:30"[:2], "领域五", "@NAME@", "a'b", "-", "x" * 80, "#1"]
)
def test_tags_that_yaml_or_the_template_would_change_arrive_as_typed(tag: str, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(scaffold(tag, Language.EN), encoding="utf-8")
    assert load_domain(path).tag == tag
    assert {finding.code for finding in lint_files([path])} == {Code.PLACEHOLDER}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_replaced_is_found_no_longer(language: Language, tmp_path: Path) -> None:
    """An unedited file passed the linter, "Replace this" and all."""
    texts = template_texts(language)
    lines = scaffold("D5", language, names={language: "Own"}).splitlines()
    filled = "\n".join(line for line in lines if "Replace this" not in line and "请替换" not in line)
    own = {Language.EN: "    Overlooked.\n", Language.ZH: "  zh: 容易忽略。\n"}[language]
    anchor = {Language.EN: "  en: >-\n", Language.ZH: "definition:\n"}[language]
    path = tmp_path / "own.yaml"
    path.write_text(filled.replace(anchor, anchor + own, 1), encoding="utf-8")
    assert [finding.field for finding in lint_file(path)] == ["prompt"]
    assert texts.prompt in " ".join(load_domain(path).seeds[0].prompt.split())


def test_the_tags_of_the_shipped_files_are_read_right_and_refused() -> None:
    """``seeds new D1`` made a file that no run with the shipped ones could load."""
    assert set(shipped_tags()) == {domain.tag for domain in load_domains([BUILTIN])}
    for tag in shipped_tags():
        with pytest.raises(InputError, match=f"{tag}.*shipped domain.*such as {free_tag()}"):
            scaffold(tag, Language.EN)
    assert scaffold(free_tag(), Language.EN)


@pytest.mark.parametrize(
    "tag", ["", " ", "a b", "a/b", "x" * 81, "a\n", "a\tb", "\x1b[31m", 'say"x"', "D5\u200b"]
)
def test_a_tag_that_would_not_load_is_refused(tag: str) -> None:
    with pytest.raises(InputError, match="no usable tag"):
        scaffold(tag, Language.EN)


@given(name=st.text(max_size=30))
def test_any_name_gives_a_file_that_loads(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("named") / "own.yaml"
    path.write_text(scaffold("D5", Language.ZH, names={Language.ZH: name}), encoding="utf-8")
    assert load_domain(path).tag == "D5"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scaffold_explains_itself(language: Language) -> None:
    text = scaffold("D5", language)
    assert "salitrap seeds lint" in text
    assert "@" not in text
    assert sum(line.lstrip().startswith("#") for line in text.splitlines()) >= 6


def test_a_scaffold_in_both_languages_holds_what_the_two_hold_and_no_more_is_found(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(scaffold("D5", *Language, names={Language.ZH: "厨房"}), encoding="utf-8")
    own = load_domain(path)
    assert own.name == {Language.EN: default_name(Language.EN), Language.ZH: "厨房"}
    for language in Language:
        alone = tmp_path / f"{language}.yaml"
        alone.write_text(scaffold("D5", language, names={Language.ZH: "厨房"}), encoding="utf-8")
        single = load_domain(alone)
        assert own.seeds_in(language) == single.seeds
        assert (own.definition[language], own.niches[language]) == (
            single.definition[language],
            single.niches[language],
        )
    assert [finding.field for finding in lint_files([*builtin_paths(), path])] == [
        *("name.en", "definition.en", "definition.zh", "prompt", "prompt")
    ]


@pytest.mark.parametrize("languages", [(Language.EN,), (Language.ZH,), tuple(Language)])
def test_a_scaffold_names_the_schema_for_editors_in_its_first_line(languages: tuple[Language, ...]) -> None:
    text = scaffold("D5", *languages)
    assert text.startswith(f"# yaml-language-server: $schema={SCHEMA_NAME}\n")
    assert f"salitrap seeds schema --out {SCHEMA_NAME}" in text

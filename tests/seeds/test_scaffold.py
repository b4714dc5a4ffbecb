"""A started file is sound as it stands, whatever its tag and name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.errors import InputError
from salitrap.records import Language
from seeds import BUILTIN, builtin_paths, lint_files, load_domain, load_domains, scaffold
from seeds.scaffold import default_name

LANGUAGES = list(Language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scaffold_loads_and_lints_clean_beside_the_shipped_files(
    language: Language, tmp_path: Path
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(scaffold("D5", language), encoding="utf-8")
    assert lint_files([*builtin_paths(), path]) == ()
    own = load_domains([BUILTIN, str(path)])[-1]
    assert (own.tag, own.name) == ("D5", {language: default_name(language)})
    assert [(seed.key, seed.language) for seed in own.seeds] == [(f"d5-{language.value}-example", language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_filled_scaffold_loads(language: Language, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    text = scaffold("kitchen", language, name="It's a 'trap': #1")
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
    assert lint_files([path]) == ()


@pytest.mark.parametrize(
    "tag", ["", " ", "a b", "a/b", "x" * 81, "a\n", "a\tb", "\x1b[31m", 'say"x"', "D5\u200b"]
)
def test_a_tag_that_would_not_load_is_refused(tag: str) -> None:
    with pytest.raises(InputError, match="no usable tag"):
        scaffold(tag, Language.EN)


@given(name=st.text(max_size=30))
def test_any_name_gives_a_file_that_loads(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("named") / "own.yaml"
    path.write_text(scaffold("D5", Language.ZH, name=name), encoding="utf-8")
    assert load_domain(path).tag == "D5"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scaffold_explains_itself(language: Language) -> None:
    text = scaffold("D5", language)
    assert "salitrap seeds lint" in text
    assert "@" not in text
    assert sum(line.lstrip().startswith("#") for line in text.splitlines()) >= 6

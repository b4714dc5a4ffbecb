"""One planted fault for each code, many faults at once, and where the findings point."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from salitrap.errors import InputError, SeedFileError
from salitrap.records import Language
from salitrap.settings import ScaleSettings
from seeds import Code, Finding, Severity, has_errors, lint_file, lint_files, load_domain
from seeds.findings import WARNINGS
from seeds.scaffold import default_name, template_texts
from tests.seeds.samples import KITE, SOUP, as_yaml, sample_domain, write

Domain = dict[str, Any]
Plant = Callable[[Domain], object]

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "seed-lint.md").read_text(encoding="utf-8")


def seed_field(field: str, value: object, index: int = 0) -> Plant:
    return lambda domain: domain["seeds"][index].update({field: value})


def seed_fields(**changes: object) -> Plant:
    return lambda domain: domain["seeds"][0].update(changes)


def top_field(field: str, value: object) -> Plant:
    return lambda domain: domain.update({field: value})


def added_seed(**changes: object) -> Plant:
    """A third English seed that shares with the soup only what ``changes`` takes from it."""
    own: Domain = {
        **KITE,
        "key": "x1-en-ice",
        "scenario": "Keeping ice in a lit oven",
        "prompt": (
            "My oven stays at 180 degrees all afternoon because of the roast. I want 24 ice cubes to wait on "
            "its lower shelf until the guests come in 4 hours; at 3 cubes a glass, how many glasses is that?"
        ),
        "trap_core": "Ice cannot stay frozen inside a hot oven.",
        "injected_numbers": ["180", "24", "4", "3"],
        "triple": {"tool": "oven", "object": "ice", "action": "keep"},
    }
    return lambda domain: domain["seeds"].append({**own, **changes})


def unquoted(field: str, value: str) -> Plant:
    return lambda domain: re.sub(rf'"{field}": ".*"', f'"{field}": {value}', as_yaml(domain), count=1)


def replaced(old: str, new: str) -> Plant:
    """The first ``old`` of the file, as it is written, replaced."""
    return lambda domain: as_yaml(domain).replace(old, new, 1)


def bomb(domain: Domain) -> str:
    """A billion laughs."""
    lines = [f'"a{n}": &a{n} [{", ".join([f"*a{n - 1}"] * 10)}]' for n in range(1, 10)]
    return as_yaml(domain) + "\n".join(['"a0": &a0 "lol"', *lines]) + "\n"


PLANTED: dict[Code, Plant] = {
    Code.NOT_YAML: lambda domain: as_yaml(domain) + '"open": [1, 2\n',
    Code.NOT_A_DOMAIN: lambda domain: "# nothing but a comment\n",
    Code.REPEATED_FIELD: replaced('"scenario":', '"key": "again"\n  "scenario":'),
    Code.SEVERAL_DOCUMENTS: lambda domain: as_yaml(domain) + '---\n"tag": "X2"\n',
    Code.YAML_TAG: replaced('"the cellar"', '!!python/name:os.system "the cellar"'),
    Code.SHARED_VALUE: lambda domain: (
        as_yaml(domain).replace('"the cellar"', '&it "the cellar"').replace('"a fan"', "*it")
    ),
    Code.MERGE_KEY: replaced('"scenario":', '<<: {"scenario": "Another one"}\n  "scenario":'),
    Code.ALIASES_WITHOUT_END: bomb,
    Code.MISSING_FIELD: lambda domain: domain["seeds"][0].pop("avoid") and None,
    Code.UNKNOWN_FIELD: seed_field("groundtruth", "x"),
    Code.EMPTY_FIELD: seed_field("trap_core", " "),
    Code.WRONG_TYPE: seed_field("preserve", "the paper bag"),
    Code.UNKNOWN_LANGUAGE: seed_field("language", "fr"),
    Code.BAD_NAME: top_field("tag", "X/1"),
    Code.LANGUAGE_INCOMPLETE: lambda domain: domain["definition"].pop("zh") and None,
    Code.NO_SEEDS: top_field("seeds", []),
    Code.AMBIGUOUS_SCALAR: unquoted("action", "on"),
    Code.FULL_WIDTH_MARK: replaced('"tag":', "tag："),
    Code.NUMBER_NOT_IN_PROMPT: seed_field("injected_numbers", ["6", "40", "2", "3", "77"]),
    Code.NUMBER_NOT_LISTED: seed_field("injected_numbers", ["6", "40", "2"]),
    Code.TOO_FEW_NUMBERS: seed_fields(
        prompt=re.sub(r"(40|2|3) ", "many ", SOUP["prompt"]), injected_numbers=["6"]
    ),
    Code.NOT_A_NUMERAL: seed_field("injected_numbers", ["6", "40", "2", "3", "soup"]),
    Code.TOO_SHORT: seed_field("prompt", "6 litres, 40 m, 2 bags, 3 minutes: how many trips?"),
    Code.TOO_LONG: seed_field("prompt", SOUP["prompt"] + " I am in a hurry today." * 40),
    Code.NO_HARD_NEGATIVE: seed_field("trap_core", "A paper bag soaks through with liquid soup."),
    Code.THIN_GROUND_TRUTH: seed_field("ground_truth", "It leaks."),
    Code.WRONG_LANGUAGE: seed_field("ground_truth", "汤会把纸袋浸透漏光；正确的回答应当先指出这一点。"),
    Code.ESCAPE_WORDING: seed_field("prompt", SOUP["prompt"] + " Just calculate it."),
    Code.SPACED_CHINESE: seed_field("ground_truth", "衣架不是体温计， 量不出体温；回答应当先指出这一点。", 2),
    Code.PLACEHOLDER: top_field("name", {"en": default_name(Language.EN), "zh": "样例"}),
    Code.DUPLICATE_KEY: added_seed(key=SOUP["key"]),
    Code.DUPLICATE_SCENARIO: added_seed(scenario="carrying soup, in a PAPER bag!"),
    Code.DUPLICATE_CONTENT: added_seed(prompt=SOUP["prompt"], injected_numbers=SOUP["injected_numbers"]),
    Code.NEAR_DUPLICATE_PROMPT: added_seed(
        prompt=SOUP["prompt"].replace("lentil", "onion"), injected_numbers=SOUP["injected_numbers"]
    ),
    Code.NEAR_DUPLICATE_TRAP_CORE: added_seed(trap_core=SOUP["trap_core"].replace("trips", "walks")),
    Code.SIMILAR_PAIR: added_seed(
        prompt=SOUP["prompt"].replace("40 m", "70 m"), injected_numbers=["6", "70", "2", "3"]
    ),
    Code.SAME_TRIPLE: added_seed(triple={**SOUP["triple"], "tool": "Paper-bag"}),
    Code.SHIPPED_TAG: top_field("tag", "D2"),
    Code.UNLISTED_NICHE: seed_field("niche", {**SOUP["niche"], "scene": "moon"}),
    Code.BYTE_ORDER_MARK: lambda domain: "\ufeff" + as_yaml(domain),
    Code.LINE_ENDINGS: lambda domain: as_yaml(domain).replace("\n", "\r\n"),
    Code.TRAILING_SPACE: lambda domain: as_yaml(domain).replace("\n", "  \n"),
    Code.TAB: replaced('"tag": ', '"tag":\t'),
    Code.CUT_TEXT: replaced('"Carrying soup in a paper bag"', "Carrying soup #1 in a bag"),
    Code.TYPOGRAPHIC_QUOTES: replaced('"the cellar"', "“the cellar”"),
}
OTHERWISE = {Code.TAG_CLASH, Code.NOT_UTF8}
"""Codes that take two files, or one that is not written as text."""


def lint_planted(plant: Plant, folder: Path) -> tuple[Finding, ...]:
    domain = sample_domain()
    changed = plant(domain)
    return lint_file(write(folder / "planted.yaml", changed if isinstance(changed, str) else domain))


def test_the_sample_without_a_fault_has_no_findings(tmp_path: Path) -> None:
    assert lint_planted(lambda domain: None, tmp_path) == ()
    assert lint_planted(added_seed(), tmp_path) == ()


@pytest.mark.parametrize("code", PLANTED, ids=lambda code: code.name)
def test_each_planted_fault_is_found_and_nothing_else(code: Code, tmp_path: Path) -> None:
    findings = lint_planted(PLANTED[code], tmp_path)
    assert [finding.code for finding in findings] == [code]
    planted = findings[0]
    assert (planted.severity is Severity.WARNING) == (code in WARNINGS)
    assert planted.message and planted.repair
    assert planted.where.startswith(f"{tmp_path / 'planted.yaml'}:{planted.line}:")


def test_every_code_has_a_planted_fault() -> None:
    assert {*PLANTED, *OTHERWISE} == set(Code)


def test_a_tag_that_two_files_share_is_found(tmp_path: Path) -> None:
    other = sample_domain() | {"seeds": []}
    findings = lint_files([write(tmp_path / "a.yaml", sample_domain()), write(tmp_path / "b.yaml", other)])
    assert [finding.code for finding in findings] == [Code.TAG_CLASH, Code.NO_SEEDS]
    assert str(tmp_path / "a.yaml") in findings[0].message


def test_doubles_are_found_across_files(tmp_path: Path) -> None:
    other = sample_domain() | {"tag": "X2"}
    paths = [write(tmp_path / "a.yaml", sample_domain()), write(tmp_path / "b.yaml", other)]
    findings = lint_files(paths)
    assert {finding.path for finding in findings} == {str(paths[1])}
    assert {Code.DUPLICATE_KEY, Code.DUPLICATE_SCENARIO, Code.DUPLICATE_CONTENT} <= {f.code for f in findings}


def test_a_file_given_twice_is_checked_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.yaml", sample_domain())
    assert lint_files([path, path]) == ()


@pytest.mark.parametrize(
    ("unit", "code"), [("40 km", Code.SIMILAR_PAIR), ("40 metres", Code.NEAR_DUPLICATE_PROMPT)]
)
def test_units_count_in_pairs_as_in_the_filters(unit: str, code: Code, tmp_path: Path) -> None:
    """Linting looked at numbers alone: 40 km instead of 40 m was told as nearly the same prompt."""
    changed = {"prompt": SOUP["prompt"].replace("40 m", unit), "injected_numbers": SOUP["injected_numbers"]}
    findings = lint_planted(added_seed(**changed), tmp_path)
    assert [finding.code for finding in findings] == [code]


def test_trap_cores_have_a_threshold_of_their_own(tmp_path: Path) -> None:
    """Linting compared them with the threshold of prompts."""
    plant = added_seed(trap_core=SOUP["trap_core"].replace("trips", "walks"))
    domain = sample_domain()
    plant(domain)
    strict = ScaleSettings.model_validate({"similarity": {"core_threshold": 0.99}})
    findings = lint_file(write(tmp_path / "planted.yaml", domain), strict)
    assert [finding.code for finding in findings] == [Code.SIMILAR_PAIR]


LONG = (
    "孩子昨晚发烧，我打算每隔4小时拿衣架给她量一次体温，连量3天，"
    "每次夹5分钟，记在表上给医生看，还要给姥姥留一张底，一共量多少次？"
)
MANY = """\
tag: X 9                                #! SL015
name: {en: Sample}                      #! SL016
definition: {en: }                      #! SL012 SL016
niches:                                 #! SL016
  en:
    tools: [bag]
    scenes: kitchen                     #! SL013
    life_areas: [home]
    moods: [sad]                        #! SL011
seeds:
  - key: m-1                            #! SL010
    language: en
    scenario: on                        #! SL018 SL065
    prompt: Take 6 litres 40 m. Just calculate the 3 trips.  #! SL030 SL035 SL065
    trap_core: A paper bag holds soup badly.                 #! SL032 SL065
    ground_truth: It leaks.             #! SL033 SL065
    injected_numbers: ["6", "41", x]    #! SL020 SL020 SL021 SL021 SL023
    triple: {tool: bag, object: soup, action: carry}
    preserve: [bag]
    niche:
      tool: sack                        #! SL050
      scene: kitchen
      life_area: home
  - key: m-1                            #! SL040
    language: zh
    scenario: 用衣架 量体温             #! SL036 SL065
    prompt: @LONG@
    trap_core: The hanger cannot read a temperature.         #! SL032 SL034 SL065
    ground_truth: 衣架不是体温计，量不出体温；应当先指出这一点。
    injected_numbers: ["4"]             #! SL021 SL021 SL022
    triple: {tool: 衣架, object: , action: 量}               #! SL012
    preserve: []
    avoid: []
    niche: {tool: 衣架, scene: 卧室, life_area: 健康}
  - just a line                         #! SL013
""".replace("@LONG@", LONG)


def test_a_file_full_of_faults_gives_all_of_them_in_line_order(tmp_path: Path) -> None:
    findings = lint_file(write(tmp_path / "many.yaml", MANY))
    marks = [(at, line.partition("#!")[2].split()) for at, line in enumerate(MANY.splitlines(), 1)]
    expected = [(at, code) for at, codes in marks for code in codes]
    assert len(expected) >= 20
    assert [(finding.line, finding.code.value) for finding in findings] == expected


def test_findings_name_seed_and_field(tmp_path: Path) -> None:
    findings = lint_file(write(tmp_path / "many.yaml", MANY))
    named = {(finding.code.value, finding.seed, finding.field) for finding in findings}
    assert ("SL050", "m-1", "niche.tool") in named
    assert ("SL013", "#3", None) in named
    assert ("SL010", "m-1", "avoid") in named
    assert ("SL013", None, "niches.en.scenes") in named


def test_a_broken_file_does_not_hide_the_others(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.yaml", "tag: [\n")
    twice = write(tmp_path / "twice.yaml", "tag: A\ntag: B\n")
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("tag: Caf\xe9\n".encode("latin-1"))
    bad = write(tmp_path / "bad.yaml", sample_domain() | {"tag": "a b"})
    findings = lint_files([broken, twice, latin, bad])
    by_file = {path: [f for f in findings if f.path == str(path)] for path in (broken, twice, latin, bad)}
    assert [[finding.code for finding in found] for path, found in by_file.items() if path != twice] == [
        [Code.NOT_YAML],
        [Code.NOT_UTF8],
        [Code.BAD_NAME],
    ]
    assert [f.line for f in by_file[twice] if f.code is Code.REPEATED_FIELD] == [2]
    assert "UTF-8" in by_file[latin][0].message


@pytest.mark.parametrize(("encoding", "guess"), [("gbk", "GBK"), ("utf-16", "UTF-16")])
def test_another_encoding_is_guessed_and_the_way_out_named(encoding: str, guess: str, tmp_path: Path) -> None:
    path = tmp_path / "my file.yaml"
    path.write_bytes("tag: X1\nname: {zh: 陷阱}\n".encode(encoding))
    (found,) = lint_file(path)
    assert (found.code, guess in found.message, "iconv -f" in found.repair) == (Code.NOT_UTF8, True, True)
    assert f"'{path}' > NEW" in found.repair


@pytest.mark.parametrize("text", ["", "[]", "- a\n- b\n", "just words", "null", "{}"])
def test_a_file_without_fields_is_no_domain(text: str, tmp_path: Path) -> None:
    assert [finding.code for finding in lint_file(write(tmp_path / "a.yaml", text))] == [Code.NOT_A_DOMAIN]


@pytest.mark.parametrize("lost", ["triple", "language", "niche", "injected_numbers"])
def test_a_seed_that_lacks_a_field_is_checked_in_all_the_rest(tmp_path: Path, lost: str) -> None:
    """Without a language nothing of a seed's texts was checked, so the next faults came one round later."""

    def plant(domain: Domain) -> None:
        domain["seeds"][0] |= {"prompt": "6 litres, 40 m, 2 bags, 3 minutes?", "trap_core": "It leaks."}
        domain["seeds"][0].pop(lost)

    assert [finding.code for finding in lint_planted(plant, tmp_path)] == [
        Code.MISSING_FIELD,
        Code.TOO_SHORT,
        Code.NO_HARD_NEGATIVE,
    ]


def test_a_chinese_seed_without_a_language_is_measured_as_chinese(tmp_path: Path) -> None:
    domain = sample_domain()
    del domain["seeds"][2]["language"]
    assert [f.code for f in lint_file(write(tmp_path / "a.yaml", domain))] == [Code.MISSING_FIELD]


def test_texts_of_the_started_file_are_errors_wherever_they_stand(tmp_path: Path) -> None:
    texts = template_texts(Language.ZH)

    def plant(domain: Domain) -> None:
        domain["definition"]["zh"] = texts.definition
        domain["seeds"][2] |= {"prompt": texts.prompt, "injected_numbers": ["6", "40", "2", "3", "18:30"]}

    findings = lint_planted(plant, tmp_path)
    assert [(finding.code, finding.field) for finding in findings] == [
        (Code.PLACEHOLDER, "definition.zh"),
        (Code.PLACEHOLDER, "prompt"),
    ]
    assert has_errors(findings)


@pytest.mark.parametrize(
    "value", ["cellar", "40", "3.5", "'yes'", '"12:30"', "地下室", "“a” or “b”", "A4", "no one"]
)
def test_scalars_that_every_reader_keeps_are_not(value: str, tmp_path: Path) -> None:
    text = as_yaml(sample_domain()).replace('"the cellar"', value)
    assert lint_file(write(tmp_path / "a.yaml", text)) == ()


def test_thresholds_come_from_the_settings(tmp_path: Path) -> None:
    path = write(tmp_path / "a.yaml", sample_domain())
    codes = {
        finding.code for finding in lint_file(path, ScaleSettings(min_numbers=9, ground_truth_chars=500))
    }
    assert codes == {Code.TOO_FEW_NUMBERS, Code.THIN_GROUND_TRUTH}


def test_only_errors_make_a_file_unfit(tmp_path: Path) -> None:
    warned = lint_planted(PLANTED[Code.UNLISTED_NICHE], tmp_path)
    assert warned and not has_errors(warned)
    assert has_errors(lint_planted(PLANTED[Code.TOO_SHORT], tmp_path))


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(InputError, match=re.escape(str(path))):
            lint_file(path)


FORM_FAULTS = [Code.MISSING_FIELD, Code.UNKNOWN_FIELD, Code.WRONG_TYPE, Code.BAD_NAME, Code.DUPLICATE_KEY]


@pytest.mark.parametrize("code", FORM_FAULTS, ids=lambda code: code.name)
def test_what_the_loader_refuses_the_linter_calls_an_error(code: Code, tmp_path: Path) -> None:
    assert has_errors(lint_planted(PLANTED[code], tmp_path))
    with pytest.raises(SeedFileError):
        load_domain(tmp_path / "planted.yaml")


def test_the_page_names_exactly_the_codes_with_their_severity() -> None:
    rows = re.findall(r"^\| (SL\d+) \| (\w+) \|", PAGE, flags=re.MULTILINE)
    assert rows == [(code.value, "warning" if code in WARNINGS else "error") for code in Code]
    assert set(re.findall(r"SL\d+", PAGE)) == {code.value for code in Code}

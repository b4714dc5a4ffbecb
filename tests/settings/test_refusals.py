"""Settings that make no sense: one line with file, line, field, what was received and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.directory import Layout, read_revisions, record_revision
from salitrap.errors import ConfigError, ExitCode
from salitrap.records import Language
from salitrap.settings import load_settings
from salitrap.settings.lab_faults import LabFault
from tests.cli.helpers import config
from tests.curation.world import domain, settings

REFUSED = [
    ({"languages": "[en, en]"}, ["languages[1]", "'en'", "twice"]),
    ({"languages": "[]"}, ["languages", "empty", "en, zh"]),
    ({"languages": "[en, zhh]"}, ["languages[1]", "'zhh'", "en, zh", "did you mean 'zh'?"]),
    ({"languages": "[en]", "targets": "{D1: {zh: 2}}"}, ["targets.D1.zh", "only en"]),
    ({"targets": "{}"}, ["targets", "empty"]),
    ({"targets": "{default: {en: 0}}"}, ["targets", "no cell wants a seed"]),
    ({"targets": "{default: {en: -1}}"}, ["targets.default.en", "-1", "0 to 1,000,000"]),
    ({"targets": "{D1: {en: 1000001}}"}, ["targets.D1.en", "1000001", "0 to 1,000,000"]),
    ({"targets": "{D1: {en: few}}"}, ["targets.D1.en", "'few'", "integer"]),
    ({"domains": "[]"}, ["domains", "empty", "builtin"]),
    ({"domains": "['']"}, ["domains[0]", "builtin"]),
    ({"scale": "{prompt_chars: {en: [900, 140]}}"}, ["scale.prompt_chars.en", "[900, 140]", "in that order"]),
    ({"scale": "{prompt_chars: {zh: [0, 140]}}"}, ["scale.prompt_chars.zh", "[0, 140]", "1 or more"]),
    ({"scale": "{prompt_chars: {en: [-5, -2]}}"}, ["scale.prompt_chars.en", "[-5, -2]"]),
    ({"scale": "{similarity: {alphabetic_ngram: 1}}"}, ["scale.similarity.alphabetic_ngram", "duplicates"]),
    ({"validation": "{certify_naturalness: 7}"}, ["validation.certify_naturalness", "7", "1 to 5"]),
    ({"validation": "{camouflage_naturalness: 0.5}"}, ["validation.camouflage_naturalness", "1 to 5"]),
    ({"validation": "{solver_naturalness: nan}"}, ["validation.solver_naturalness", "nan"]),
    ({"lab": "{faults: {http_42: 0.1}}"}, ["lab.faults.http_42", "did you mean 'http_429'?", *LabFault]),
    ({"lab": "{faults: {meteor: 0.1}}"}, ["lab.faults.meteor", *LabFault]),
    ({"lab": "{latency: inf}"}, ["lab.latency", "inf", "finite"]),
    ({"refine": "{weights: {soft: nan}}"}, ["refine.weights.soft", "nan", "finite"]),
    ({"budgett": "{calls: 3}"}, ["budgett", "did you mean 'budget'?"]),
    ({"certify": "{repeat: 3}"}, ["certify.repeat", "did you mean 'repeats'?"]),
    ({"certify": "{wholly_new: 3}"}, ["certify.wholly_new", "known are repeats, early_stop, rule"]),
    ({"certify": "{repeats: many}"}, ["certify.repeats", "'many'", "integer"]),
    ({"certify": "{rule: majorty}"}, ["certify.rule", "'majorty'", "did you mean 'majority'?"]),
    ({"certify": "[3]"}, ["certify", "a list of 1"]),
    ({"budget": "20"}, ["budget", "got '20'; expected a mapping such as {calls: 1000}"]),
    ({"limits": "x"}, ["limits", "got 'x'; expected a mapping such as {attempts: 40}"]),
    ({"scale": "[]"}, ["scale", "a list of 0; expected a mapping such as {batch_size: 4}"]),
    ({"certify": "[]"}, ["certify", "a list of 0; expected a mapping such as {repeats: 5}"]),
    ({"targets": "5"}, ["targets", "expected a mapping such as {default: {en: 8}}"]),
    ({"targets": "{D1: 5}"}, ["targets.D1", "expected a mapping such as {en: 8}"]),
    ({"lab": "{faults: 3}"}, ["lab.faults", "expected a mapping such as {http_429: 0.1}"]),
    ({"budget": "{calls: 0}"}, ["budget.calls", "'0'", "greater than or equal to 1"]),
    ({"name": "../out"}, ["name", "'../out'", "plain folder name"]),
    ({"name": "“demo”"}, ["name", "'“'", "write '\"'"]),
    ({"languages": "[en， zh]"}, ["languages[0]", "'，'", "write ','"]),
    ({"languages": "zh"}, ["languages", "write a list: [zh]"]),
    ({"domains": "./own.yaml"}, ["domains", "write a list: [./own.yaml]"]),
    ({"scale": "{prompt_chars: {zh: 60}}"}, ["scale.prompt_chars.zh", "write a list: [60, ...]"]),
    ({"targets": "{default: {zh: ２}}"}, ["targets.default.zh", "'２' is a full-width digit; write '2'"]),
    ({"targets": "{D1：x: {zh: few}}"}, ["targets.D1：x.zh", "'few'"]),
    ({"targets": "{D1：zh: 3}"}, ["targets.D1：zh", "'：' is a full-width mark; write ':'"]),
]


@pytest.mark.parametrize(("sections", "words"), REFUSED, ids=[str(sections) for sections, _ in REFUSED])
def test_a_setting_that_makes_no_sense_is_one_line_with_its_place(
    tmp_path: Path, sections: dict[str, str], words: list[str]
) -> None:
    """Most of these were accepted once, and showed only as a funnel that did not add up or as exit 4."""
    path = config(tmp_path / "c.yaml", **sections)
    with pytest.raises(ConfigError) as caught:
        load_settings(path)
    message = str(caught.value)
    assert caught.value.exit_code is ExitCode.USAGE
    assert "\n" not in message
    assert message.startswith(f"{path}:{_line_of(path, words[0])}: {words[0]}: ")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("3", "roles: got '3'; expected a mapping such as {judge: {endpoints: [{spec: openai/NAME}]}}"),
        ("{judge: x}", "roles.judge: got 'x'; expected a mapping such as {endpoints: [{spec: openai/NAME}]}"),
        ("{judge: {endpoints: []}}", "roles.judge.endpoints: got a list of 0; give at least 1"),
        (
            "{judge: {endpoints: [m]}}",
            "endpoints[0]: got 'm'; expected a mapping such as {spec: openai/NAME}",
        ),
    ],
)
def test_roles_in_a_wrong_form_are_answered_with_an_example(tmp_path: Path, given: str, told: str) -> None:
    """The answer was "valid dictionary or instance of RoleSettings", the language of a library."""
    path = tmp_path / "c.yaml"
    path.write_text(f"roles: {given}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_settings(path)
    assert told in str(caught.value)


def _line_of(path: Path, field: str) -> int:
    """Line, from 1, of the section that a field is in."""
    section = field.partition(".")[0].partition("[")[0]
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(f"{section}:"))


@pytest.mark.parametrize(
    "sections",
    [
        {"languages": "[en]", "targets": "{default: {en: 1, zh: 0}}"},
        {"languages": "[en]", "targets": ""},
        {"targets": "{D1: {en: 1000000}, default: {}}"},
        {"scale": "{prompt_chars: {en: [1, 1]}}"},
        {"validation": "{certify_naturalness: 5, solver_naturalness: 1}"},
        {"lab": f"{{faults: {{{', '.join(f'{fault}: 0.1' for fault in LabFault)}}}}}"},
    ],
    ids=str,
)
def test_values_at_the_edge_are_accepted(tmp_path: Path, sections: dict[str, str]) -> None:
    load_settings(config(tmp_path / "c.yaml", **sections))


@pytest.mark.parametrize("spec", ["any-checker", "openai/", "opnai/m", "lab/m@http://127.0.0.1:1/v1"])
def test_a_spec_that_is_not_understood_is_named_with_its_place(tmp_path: Path, spec: str) -> None:
    """File, line and field were missing in this fault alone."""
    path = config(tmp_path / "c.yaml")
    text = path.read_text(encoding="utf-8").replace("lab/checker", spec)
    path.write_text(text, encoding="utf-8")
    line = next(number for number, one in enumerate(text.splitlines(), 1) if "  checker:" in one)
    with pytest.raises(ConfigError) as caught:
        load_settings(path)
    assert str(caught.value).startswith(f"{path}:{line}: roles.checker.endpoints[0].spec: spec {spec!r}")


def test_what_stands_in_an_unknown_field_is_not_shown(tmp_path: Path) -> None:
    """A key pasted under ``api_key`` must not end in a log."""
    path = config(tmp_path / "c.yaml")
    text = path.read_text(encoding="utf-8").replace('"}', '", api_key: sk-planted-secret}', 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="did you mean 'api_key_env'") as caught:
        load_settings(path)
    assert "generator.endpoints[0].api_key" in str(caught.value)
    assert "planted" not in str(caught.value)


def test_a_collection_in_the_wrong_place_is_not_shown(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", budget="{calls: {key: sk-planted-secret}}")
    with pytest.raises(ConfigError, match="a mapping") as caught:
        load_settings(path)
    assert "planted" not in str(caught.value)


def test_a_run_that_was_started_with_such_settings_stays_readable(tmp_path: Path) -> None:
    """Old directories are never refused: the stricter checks are for files that a run is given."""
    given = settings().model_copy(update={"languages": (Language.EN, Language.EN)})
    record_revision(Layout(tmp_path), given, [domain()], {})
    assert read_revisions(Layout(tmp_path))[0].settings == given

"""``salitrap seeds`` at the terminal, redirected, and as JSON."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner, Result

from salitrap.cli.seed_text import seed_texts
from salitrap.cli.seeds import SCHEMA_NAME, app
from salitrap.errors import ExitCode, InputError, SeedFileError
from salitrap.records import Language
from seeds import BUILTIN, domain_schema, load_domain, load_domains, schema_text
from tests.seeds.samples import KITE, SOUP, as_yaml, sample_domain, write


def invoke(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def refused(*words: object) -> BaseException:
    result = invoke(*words)
    assert isinstance(result.exception, InputError), result.output
    return result.exception


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return write(tmp_path / "own.yaml", sample_domain())


def faulty(folder: Path, **changes: Any) -> Path:
    domain = sample_domain()
    domain["seeds"][0] |= changes
    return write(folder / "faulty.yaml", domain)


def test_lint_checks_the_shipped_files_by_default() -> None:
    result = invoke("lint")
    assert result.exit_code == ExitCode.DONE
    assert (result.stdout, result.stderr) == ("", "4 files, 0 errors, 0 warnings\n")


def test_lint_prints_place_code_and_repair_and_exits_with_findings(tmp_path: Path) -> None:
    path = faulty(tmp_path, ground_truth="It leaks.")
    result = invoke("lint", path)
    assert result.exit_code == ExitCode.FINDINGS
    first, repair = result.stdout.splitlines()
    assert first.startswith(f"{path}:")
    assert "seed x1-en-soup, field ground_truth error SL033: " in first
    assert repair.strip() == "say what a right answer must name"
    assert result.stderr == "1 file, 1 error, 0 warnings\n"


def test_lint_with_warnings_alone_is_done(tmp_path: Path) -> None:
    result = invoke("lint", faulty(tmp_path, niche={**SOUP["niche"], "scene": "moon"}))
    assert result.exit_code == ExitCode.DONE
    assert "warning SL050" in result.stdout


def test_lint_as_json_holds_every_finding(tmp_path: Path, own: Path) -> None:
    path = faulty(tmp_path, ground_truth="It leaks.", key="不同的")
    result = invoke("lint", "--json", path)
    report = json.loads(result.stdout)
    assert result.exit_code == ExitCode.FINDINGS
    assert (report["files"], report["errors"], report["warnings"]) == ([str(path)], 1, 0)
    assert report["findings"][0]["seed"] == "不同的"
    assert report["findings"][0]["code"] == "SL033"
    assert json.loads(invoke("lint", own, "--json").stdout)["findings"] == []


def test_the_fields_of_a_finding_as_json_are_these_in_this_order(tmp_path: Path) -> None:
    """Programs read them: a change of a name or a meaning is a change of ``format``."""
    path = faulty(tmp_path, ground_truth="It leaks.")
    report = json.loads(invoke("lint", "--json", path).stdout)
    assert list(report) == ["format", "files", "errors", "warnings", "findings"]
    assert report["format"] == 1
    (found,) = report["findings"]
    line, column = found.pop("line"), found.pop("column")
    assert path.read_text(encoding="utf-8").split("\n")[line - 1][column - 1 :].startswith('"ground_truth"')
    assert found == {
        "file": str(path),
        "code": "SL033",
        "severity": "error",
        "seed": "x1-en-soup",
        "field": "ground_truth",
        "message": "the ground truth has 9 characters, at least 15 are wanted",
        "repair": "say what a right answer must name",
        "fixable": False,
    }


def test_with_strict_a_warning_is_enough_for_exit_code_one(tmp_path: Path, own: Path) -> None:
    path = faulty(tmp_path, niche={**SOUP["niche"], "scene": "moon"})
    assert invoke("lint", path).exit_code == ExitCode.DONE
    assert invoke("lint", "--strict", path).exit_code == ExitCode.FINDINGS
    assert invoke("lint", "--strict", own).exit_code == ExitCode.DONE


def test_fix_mends_the_file_and_reports_what_is_left(tmp_path: Path) -> None:
    path = faulty(tmp_path, injected_numbers=["6", "2"], ground_truth="It leaks.")
    assert "2 of them can be mended by --fix" in invoke("lint", path).stderr
    before = path.read_bytes()
    shown = invoke("lint", "--diff", path)
    assert (shown.exit_code, path.read_bytes()) == (ExitCode.FINDINGS, before)
    assert '+  - "40"' in shown.stdout.splitlines()
    assert "would mend SL021 (1)" in shown.stderr
    assert invoke("lint", "--fix", "--dry-run", path).stdout == shown.stdout
    mended = invoke("lint", "--fix", path)
    assert mended.exit_code == ExitCode.FINDINGS
    assert "SL033" in mended.stdout and "SL021" not in mended.stdout
    assert f"{path}: mended SL021 (1)" in mended.stderr
    assert load_domain(path).seeds[0].injected_numbers == ("6", "40", "2", "3")
    again = invoke("lint", "--fix", path)
    assert (again.stdout, "mended" in again.stderr) == (mended.stdout, False)


def test_fix_as_json_names_what_was_mended(tmp_path: Path) -> None:
    path = faulty(tmp_path, injected_numbers=["6", "2", "3"])
    report = json.loads(invoke("lint", "--fix", "--json", path).stdout)
    assert [(one["file"], one["code"]) for one in report["mended"]] == [(str(path), "SL021")]
    assert report["findings"] == []


def test_fix_says_why_a_file_was_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "broken.yaml", "\ufefftag: [")
    result = invoke("lint", "--fix", path)
    assert result.exit_code == ExitCode.FINDINGS
    assert f"{path}: not mended; correct what is not YAML first" in result.stderr


def test_the_shipped_files_are_not_mended_unasked_and_a_diff_is_no_json(own: Path) -> None:
    for words in (("--fix",), ("--diff",)):
        assert "want the files named" in str(refused("lint", *words))
    assert "choose one" in str(refused("lint", "--diff", "--json", own))


def test_the_diff_cannot_steer_the_terminal(tmp_path: Path) -> None:
    text = as_yaml(sample_domain()).replace('"the cellar"', "yes  # \x9b31m")
    assert "\x9b" not in invoke("lint", "--diff", write(tmp_path / "a.yaml", text)).stdout


def test_schema_prints_and_writes_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    assert json.loads(invoke("schema").stdout) == domain_schema()
    for _ in range(2):
        result = invoke("schema", "--out", path)
        assert (result.exit_code, result.stdout, path.read_text(encoding="utf-8")) == (0, "", schema_text())


def test_a_schema_takes_the_place_of_nothing_else(own: Path, tmp_path: Path) -> None:
    before = own.read_bytes()
    assert "no schema of ours" in str(refused("schema", "--out", own))
    assert "cannot be written" in str(refused("schema", "--out", tmp_path / "none" / "s.json"))
    assert own.read_bytes() == before


def test_new_in_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    words = ("--language", "both", "--name", "Kitchen", "--name-zh", "厨房", "--out", path)
    result = invoke("new", "D5", *words)
    assert result.exit_code == ExitCode.DONE
    assert f"salitrap seeds schema --out {tmp_path / SCHEMA_NAME}" in result.stderr
    assert load_domain(path).name == {Language.EN: "Kitchen", Language.ZH: "厨房"}
    assert "--language both" in str(refused("new", "D5", "--name-zh", "x", "--out", tmp_path / "b.yaml"))


@pytest.mark.parametrize("width", [20, 34])
@pytest.mark.parametrize("language", list(Language))
def test_show_fits_a_narrow_terminal(language: Language, width: int) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, no_color=True, highlight=False)
    for domain in load_domains([BUILTIN]):
        for text in seed_texts(domain, domain.seeds_in(language)[0]):
            lines = text.wrap(console, width)
            assert all(cell_len(line.plain.rstrip()) <= width for line in lines)
            assert "".join("".join(line.plain for line in lines).split()) == "".join(text.plain.split())


def test_lint_of_broken_yaml_is_a_finding_and_of_a_missing_file_an_input_error(tmp_path: Path) -> None:
    broken = invoke("lint", write(tmp_path / "broken.yaml", "tag: ["))
    assert (broken.exit_code, "SL001" in broken.stdout) == (ExitCode.FINDINGS, True)
    assert "none.yaml" in str(refused("lint", tmp_path / "none.yaml"))


def test_list_names_all_shipped_seeds() -> None:
    result = invoke("list")
    assert result.exit_code == ExitCode.DONE
    assert "64 seeds" in result.stdout
    listed = json.loads(invoke("list", "--json").stdout)
    assert len(listed) == 64
    assert all(entry["key"] in result.stdout for entry in listed)


def test_domains_of_the_user_are_added_to_the_shipped_ones(own: Path, tmp_path: Path) -> None:
    other = sample_domain() | {"tag": "X2", "seeds": [{**KITE, "key": "x2-en-kite"}]}
    second = write(tmp_path / "second.yaml", other)
    listed = json.loads(invoke("list", "--json", "--domain", own, "--domain", second).stdout)
    assert [entry["key"] for entry in listed[64:]] == [
        "x1-en-soup",
        "x1-en-kite",
        "x1-zh-hanger",
        "x2-en-kite",
    ]
    assert "x2-en-kite" in invoke("show", "x2-en-kite", "--domain", second).stdout


def test_a_faulty_domain_is_refused_by_list_and_show(tmp_path: Path) -> None:
    path = faulty(tmp_path, language="fr")
    for words in (("list",), ("show", "x1-en-soup")):
        assert isinstance(refused(*words, "--domain", path), SeedFileError)


@pytest.mark.parametrize("language", list(Language))
def test_show_finds_a_seed_by_key_and_by_id(language: Language) -> None:
    seed = load_domains([BUILTIN])[1].seeds_in(language)[0]
    by_key, by_id = invoke("show", seed.key), invoke("show", seed.seed_id)
    assert by_key.exit_code == ExitCode.DONE
    assert by_key.stdout == by_id.stdout
    lines = by_key.stdout.splitlines()
    assert seed.prompt in lines
    assert f"trap core: {seed.trap_core}" in lines
    assert f"numbers: {' | '.join(seed.injected_numbers)}" in lines


def test_show_as_json_is_the_whole_seed() -> None:
    seed = load_domains([BUILTIN])[0].seeds[0]
    shown = json.loads(invoke("show", seed.key, "--json").stdout)
    assert shown == {"seed_id": seed.seed_id, **seed.model_dump(mode="json")}


def test_a_key_or_an_id_may_be_cut_short() -> None:
    """A full key was wanted although its beginning was unique."""
    seed = load_domains([BUILTIN])[0].seeds[0]
    for name in (seed.key[:-3], seed.seed_id[:14], seed.seed_id.partition("-")[2][:12]):
        assert json.loads(invoke("show", name, "--json").stdout)["key"] == seed.key


def test_an_ambiguous_key_lists_the_seeds_it_could_mean() -> None:
    seeds = [seed for domain in load_domains([BUILTIN]) for seed in domain.seeds_in(Language.EN)]
    told = str(refused("show", "d1-en-"))
    assert all(seed.key in told for seed in seeds if seed.key.startswith("d1-en-"))
    assert "give more of the key" in told
    assert "more; give more" in str(refused("show", "d"))


def test_an_unknown_seed_is_refused_with_a_near_key() -> None:
    key = load_domains([BUILTIN])[0].seeds[0].key
    assert f"did you mean {key}?" in str(refused("show", key.replace("-", "_")))
    assert "seeds list" in str(refused("show", "zzz"))


def test_show_highlights_trap_core_and_numbers(own: Path) -> None:
    domain = load_domain(own)
    texts = seed_texts(domain, domain.seeds[1])
    prompt = next(text for text in texts if text.plain == KITE["prompt"])
    assert [prompt.plain[span.start : span.end] for span in prompt.spans] == KITE["injected_numbers"]
    core = next(text for text in texts if text.plain.startswith("trap core"))
    assert KITE["trap_core"] in [
        core.plain[span.start : span.end] for span in core.spans if "magenta" in str(span.style)
    ]


def test_a_number_that_is_not_listed_is_not_highlighted(tmp_path: Path) -> None:
    domain = load_domain(faulty(tmp_path, injected_numbers=["40", "3"]))
    prompt = next(text for text in seed_texts(domain, domain.seeds[0]) if text.plain == SOUP["prompt"])
    assert [prompt.plain[span.start : span.end] for span in prompt.spans] == ["40", "3"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_show_fits_eighty_columns(is_terminal: bool) -> None:
    console = Console(
        file=io.StringIO(), width=80, force_terminal=is_terminal, no_color=True, highlight=False
    )
    for domain in load_domains([BUILTIN]):
        for text in seed_texts(domain, domain.seeds[-1]):
            assert all(cell_len(line.plain) <= 80 for line in text.wrap(console, 80))


def test_text_of_users_is_neither_markup_nor_terminal_control(tmp_path: Path) -> None:
    path = faulty(
        tmp_path,
        scenario="[red]Soup[/red] \x1b[31m:smile:",
        ground_truth="Soup [/] soaks the bag [bold]through.",
    )
    for words in (("show", "x1-en-soup"), ("list",)):
        result = invoke(*words, "--domain", path)
        assert "[red]Soup[/red]" in result.stdout
        assert "\x1b" not in result.stdout
    assert "[/] soaks the bag [bold]through." in invoke("show", "x1-en-soup", "--domain", path).stdout
    linted = invoke("lint", faulty(tmp_path, key="[x]\x1b", ground_truth="[/b]"))
    assert "seed [x]\ufffd" in linted.stdout


@pytest.mark.parametrize("language", list(Language))
def test_new_writes_a_file_and_lint_says_what_to_replace_in_it(language: Language, tmp_path: Path) -> None:
    path = tmp_path / "my domain.yaml"
    result = invoke("new", "D5", "--language", language.value, "--out", path)
    assert (result.exit_code, result.stdout) == (ExitCode.DONE, "")
    assert f"salitrap seeds lint '{path}'" in result.stderr
    assert b"\r" not in path.read_bytes()
    linted = invoke("lint", path)
    assert linted.exit_code == ExitCode.FINDINGS
    assert linted.stdout.count("SL037") == 3
    assert linted.stderr == "1 file, 3 errors, 0 warnings\n"


def test_new_never_overwrites(own: Path) -> None:
    before = own.read_bytes()
    assert "exists already" in str(refused("new", "D5", "--out", own))
    assert own.read_bytes() == before


def test_new_refuses_a_bad_tag_or_folder_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    assert "no usable tag" in str(refused("new", "a b", "--out", path))
    assert "shipped domain" in str(refused("new", "D4", "--out", path))
    assert "cannot be written" in str(refused("new", "D5", "--out", tmp_path / "none" / "own.yaml"))
    assert not path.exists()


def test_an_unknown_language_is_a_usage_error(tmp_path: Path) -> None:
    assert invoke("new", "D5", "--language", "fr", "--out", tmp_path / "a.yaml").exit_code == ExitCode.USAGE


def test_importing_the_commands_imports_nothing_heavy() -> None:
    code = (
        "import sys, salitrap.cli.seeds; "
        "print([name for name in ('dspy', 'openai', 'datasets', 'yaml', 'seeds') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_ascii_terminal_shows_replacements_and_json_escapes() -> None:
    seed = load_domains([BUILTIN])[0].seeds_in(Language.ZH)[0]
    code = (
        "from salitrap.cli.console import make_streams_safe; from salitrap.cli.seeds import app; "
        "make_streams_safe(); app()"
    )
    for words in (["show", seed.key], ["list", "--json"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True,
            env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            check=True,
        )
        assert seed.key.encode() in done.stdout
        assert done.stdout.isascii()

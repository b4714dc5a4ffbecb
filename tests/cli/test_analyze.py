"""``salitrap analyze`` as a user runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from exports.analysis import FILES
from exports.analysis.allowed import ALLOWED
from exports.analysis.metrics import RATES
from tests.cli.helpers import only_line
from tests.cli.helpers import salitrap as salitrap_process
from tests.cli.in_process import salitrap
from tests.exports.analysis.samples import raw, write

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_of_the_documentation_prints_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "example.jsonl").write_text(block("jsonl"), encoding="utf-8")
    done = salitrap_process("analyze", tmp_path / "example.jsonl", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    assert [line.rstrip() for line in done.stdout.strip().splitlines()] == block("text").splitlines()


def test_the_documentation_has_every_field_and_every_rate() -> None:
    assert all(f"| `{name}` | {allowed} |" in PAGE for name, allowed in ALLOWED.items())
    assert all(f"| `{name}` |" in PAGE for name in (*RATES, "late_notice_rate"))


def test_json_keeps_warnings_in_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [raw(), raw(item_id="i2", judge="j", label="Hard Fail")])
    done = salitrap("analyze", path, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert told["models"]["model-a"]["overall"]["tar"] == 50.0
    assert "2 judges" in told["notices"][0]
    assert told["files"][0]["rows"] == 2


def test_text_prints_warnings_on_the_error_stream(tmp_path: Path) -> None:
    done = salitrap("analyze", write(tmp_path / "a.jsonl", [raw(), raw()]))
    assert done.returncode == 0
    assert only_line(done.stderr).startswith("warning: repeated rows that count once: 1")


def test_full_labels_on_request(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [raw(label="Hard Fail", label_full="CoT Hijacked")])
    told = json.loads(salitrap("analyze", path, "--labels", "full", "--json").stdout)
    assert told["models"]["model-a"]["overall"]["counts"]["CoT Hijacked"] == 1
    assert told["method"]["labels"] == "full"


def test_redirected_output_fits_eighty_columns(tmp_path: Path) -> None:
    model = "openai/a-model-with-a-very-long-name-of-its-own@http://127.0.0.1:8000/v1"
    rows = [raw(model=model, item_id=f"i{k}", dimension_tag=f"tag-{k}-[bold]") for k in range(3)]
    done = salitrap_process("analyze", write(tmp_path / "a.jsonl", rows), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert max(len(line) for line in done.stdout.splitlines()) <= 80
    assert "tag-0-[bold]" in done.stdout
    assert "100.0 [43.9, 100.0]" in done.stdout


def test_another_arm_alone_is_shown(tmp_path: Path) -> None:
    done = salitrap("analyze", write(tmp_path / "a.jsonl", [raw(arm="p1")]))
    assert done.returncode == 0
    assert "Overall, arm p1" in done.stdout


@pytest.mark.parametrize("option", [[], ["--json"], ["--out", "results"]])
def test_nothing_scored_is_a_finding_with_a_reason(tmp_path: Path, option: list[str]) -> None:
    path = write(tmp_path / "a.jsonl", [raw(status="timeout", label=None)])
    done = salitrap("analyze", path, *option, cwd=tmp_path)
    assert done.returncode == 1
    assert "nothing is scored: no row of 1 has status ok (timeout)" in done.stderr
    assert not (tmp_path / "results").exists()
    if option == ["--json"]:
        assert json.loads(done.stdout)["models"]["model-a"]["overall"]["tar"] is None


def test_files_without_rows_are_a_finding(tmp_path: Path) -> None:
    done = salitrap("analyze", write(tmp_path / "a.jsonl", []))
    assert done.returncode == 1
    assert "no rows in" in done.stderr


def test_a_bad_line_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    done = salitrap("analyze", write(tmp_path / "a.jsonl", [raw(label="pass")]), "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "a.jsonl:1: label: received 'pass'" in only_line(done.stderr)


def test_a_foreign_file_in_the_way_is_exit_code_two(tmp_path: Path) -> None:
    (tmp_path / "overall.csv").write_text("mine")
    done = salitrap("analyze", write(tmp_path / "a.jsonl", [raw()]), "--out", tmp_path)
    assert done.returncode == 2
    assert "overall.csv: was not made by salitrap analyze" in done.stderr


def test_out_writes_its_files(tmp_path: Path) -> None:
    done = salitrap("analyze", write(tmp_path / "a.jsonl", [raw()]), "--out", tmp_path / "r")
    assert done.returncode == 0
    names = sorted(path.name for path in (tmp_path / "r").iterdir())
    assert names == sorted(FILES)
    assert {"dimensions.csv", "languages.csv", "metrics.json", "overall.csv", "abilities.csv"} < set(names)


def test_a_table_by_language_when_there_are_several(tmp_path: Path) -> None:
    both = write(tmp_path / "a.jsonl", [raw(language="zh"), raw(item_id="i2", language="en")])
    one = write(tmp_path / "b.jsonl", [raw(language="zh"), raw(item_id="i2")])
    told = salitrap("analyze", both).stdout.partition("TAR by language")[2]
    assert [line.split()[1:3] for line in told.splitlines() if "model-a" in line] == [
        ["en", "1"],
        ["zh", "1"],
    ]
    assert "by language" not in salitrap("analyze", one).stdout


def test_a_model_name_breaks_at_its_hyphens_and_lines_end_without_blanks(tmp_path: Path) -> None:
    """``openai/Qwen3-235B-A22B-Ins`` and ``truct-2507-FP8`` on the next line."""
    rows = [raw(model="openai/Qwen3-235B-A22B-Instruct-2507-FP8"), raw(model="openai/gpt-5-mini")]
    done = salitrap("analyze", write(tmp_path / "a.jsonl", rows))
    lines = done.stdout.splitlines()
    assert all(line == line.rstrip() for line in lines)
    assert max(map(len, lines)) <= 80
    assert any(line.strip() == "A22B-Instruct-2507-" for line in lines)
    assert any(line.startswith(" openai/gpt-5-mini  ") for line in lines)

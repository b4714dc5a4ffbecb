"""What the harness files are, without any harness: complete, parsable, repeatable, free of our packages."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from exports.dataset import read_manifest, verify_folder
from exports.harness import HarnessFacts, harness_files, slug_of
from prompts.loader import load_prompt
from salitrap.records.enums import Language
from tests.exports.harness.conftest import built, rows_of
from tests.exports.harness.runners.policy import ITEMS

OTHERS = {"inspect_ai", "datasets", "huggingface_hub", "lighteval"}
"""What a user of a harness has installed."""

STANDARD_ALONE = ("trap_quotes", "trap_reasoning", "trap_untrusted", "trap_rules", "trap_reply", "trap_data")


def facts(**changes: Any) -> HarnessFacts:
    given: dict[str, Any] = {
        "name": "Sieve & Co", "version": "1.2.0", "license": "cc-by-4.0", "canary": "marker",
        "simulated": False, "configs": {"items": ("test", "dev"), "dialogues": ("test",)}, **changes,
    }  # fmt: skip
    return HarnessFacts.model_validate(given)


def test_every_python_file_compiles_and_imports_nothing_of_ours() -> None:
    files = {
        path: text.decode("utf-8") for path, text in harness_files(facts()).items() if path.endswith(".py")
    }
    assert len(files) == 13
    for path, text in files.items():
        beside = {Path(other).stem for other in files if Path(other).parent == Path(path).parent}
        known = OTHERS | set(sys.stdlib_module_names) | beside
        assert imported(ast.parse(text, path)) <= known, path
        assert text.startswith("# SPDX-License-Identifier: Apache-2.0\n")


def imported(tree: ast.Module) -> set[str]:
    """First names of all modules that a file imports, also within functions."""
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module
            names.add(node.module.split(".")[0])
    return names


def test_release_json_has_the_facts_and_the_judge_in_both_languages() -> None:
    release = json.loads(harness_files(facts())["harness/release.json"])
    assert (release["name"], release["version"], release["license"]) == ("Sieve & Co", "1.2.0", "cc-by-4.0")
    assert (release["canary"], release["slug"], release["simulated"]) == ("marker", "sieve_co", False)
    assert release["configs"] == {"items": ["test", "dev"], "dialogues": ["test"]}
    for language in Language:
        prompt, told = load_prompt("judge_direct", language), release["judge"]["languages"][language.value]
        assert (told["sha256"], told["instructions"]) == (prompt.sha256, prompt.text.strip())
        assert '{"label": "...", "quote": "...", "reason": "..."}' in told["reply"]


def test_eval_yaml_has_the_keys_that_the_hub_and_inspect_know_and_no_other() -> None:
    found = yaml.safe_load(harness_files(facts())["eval.yaml"])
    assert list(found) == ["name", "description", "evaluation_framework", "tasks"]
    (task,) = found["tasks"]
    assert list(task) == ["id", "config", "split", "field_spec", "solvers", "scorers"]
    assert (found["name"], task["id"], task["split"]) == ("Sieve & Co", "sieve_co_items", "test")
    assert "item_id" in task["field_spec"]["metadata"]
    (scorer,) = task["scorers"]
    assert set(scorer["args"]) == {"model_role", "template", "instructions", "grade_pattern"}
    filled = scorer["args"]["template"].format(question=1, answer=2, criterion=3, trap_core=4, instructions=5)
    assert "[Request]: 1" in filled and filled.endswith("5")


def test_the_lm_eval_task_parses_and_names_functions_that_exist() -> None:
    files = harness_files(facts())
    text = files["harness/lm_eval/items.yaml"].decode("utf-8")
    task = yaml.load(text, Loader=WithFunctions)
    functions = {
        node.name for node in ast.parse(files["harness/lm_eval/utils.py"]).body if hasattr(node, "name")
    }
    named = {value.removeprefix("utils.") for value in task.values() if str(value).startswith("utils.")}
    assert named == {"load", "prompt_of", "target_of", "process_results"} and named <= functions
    assert (task["task"], task["metadata"]["version"]) == ("sieve_co_items", "1.2.0")


class WithFunctions(yaml.SafeLoader):
    """Reads ``!function`` as the name behind it."""


WithFunctions.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


@pytest.mark.parametrize("name", ['a "b": {c} $d ${e} # f', "陷阱 🚗", "- !!x", "C:\\traps"])
def test_any_name_of_a_dataset_is_kept(name: str) -> None:
    files = harness_files(facts(name=name))
    assert yaml.safe_load(files["eval.yaml"])["name"] == name
    assert json.loads(files["harness/release.json"])["name"] == name
    yaml.load(files["harness/lm_eval/items.yaml"], Loader=WithFunctions)


@pytest.mark.parametrize(
    ("name", "slug"), [("SaliTrap", "salitrap"), ("洗车", "salitrap"), ("A-b  2.0!", "a_b_2_0")]
)
def test_task_names_are_plain(name: str, slug: str) -> None:
    assert slug_of(name) == slug


def test_equal_facts_give_equal_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from tests.exports.harness.test_files import facts, harness_files;"
        "print(hashlib.sha256(repr(harness_files(facts())).encode()).hexdigest())"
    )
    root = Path(__file__).parents[3]
    said = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


def test_the_manifest_covers_the_files_and_a_change_is_found(folder: Path) -> None:
    listed = {entry.path for entry in read_manifest(folder).files}
    assert {path for path in listed if path.startswith("harness/")} | {"eval.yaml"} == set(
        harness_files(facts())
    )
    path = folder / "harness" / "inspect" / "trap_rules.py"
    path.write_bytes(path.read_bytes() + b"\n")
    assert [found.path for found in verify_folder(folder)] == ["harness/inspect/trap_rules.py"]


def test_a_dataset_without_them_is_still_sound_and_can_be_replaced(folder: Path) -> None:
    """Datasets of releases before this one have none."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    ours = [entry for entry in manifest["files"] if entry["path"].startswith(("harness/", "eval.yaml"))]
    for entry in ours:
        (folder / entry["path"]).unlink()
        manifest["files"].remove(entry)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert ours and verify_folder(folder) == ()
    built(folder, version="1.3.0")
    assert (folder / "eval.yaml").is_file() and verify_folder(folder) == ()


def test_the_card_says_how_to_run(folder: Path, tmp_path: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "## How to run" in card and "inspect eval harness/inspect/tasks.py@items" in card
    assert "--tasks sieve_co_items" in card and "tasks.py@dialogues" in card
    alone = (built(tmp_path / "alone", dialogues=()) / "README.md").read_text(encoding="utf-8")
    assert "tasks.py@dialogues" not in alone


def test_the_dataset_is_read_by_python_alone(folder: Path) -> None:
    """-I and -S: neither our packages nor any other can be imported."""
    code = "\n".join(
        [
            "import json, sys",
            f"sys.path.insert(0, {str(folder / 'harness' / 'inspect')!r})",
            *(f"import {name}" for name in STANDARD_ALONE),
            "print(json.dumps([trap_data.rows('items'), trap_data.release()['version']]))",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [rows_of(folder), "1.2.0"]
    assert len(rows_of(folder)) == len(ITEMS)


def test_rows_of_the_hub_are_those_of_the_tag_or_none(folder: Path, tmp_path: Path) -> None:
    """Out of a cache: a loader would serve the newest version there for any tag."""
    cache = tmp_path / "hf" / "hub" / "datasets--org--name"
    (cache / "snapshots").mkdir(parents=True)
    shutil.copytree(folder, cache / "snapshots" / ("a" * 40))
    (cache / "refs").mkdir()
    for tag in ("v1.2.0", "v1.3.0"):
        (cache / "refs" / tag).write_text("a" * 40, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    shutil.copytree(folder / "harness", tmp_path / "elsewhere" / "harness")
    code = "import sys, trap_data; print(len(trap_data.rows('items', dataset=sys.argv[1])))"

    def said(dataset: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code, dataset],
            cwd=tmp_path / "elsewhere" / "harness" / "inspect",
            env={**os.environ, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        return (done.stdout or done.stderr).strip().split("\n")[-1]

    assert said("org/name") == said("org/name@v1.2.0") == "11"
    assert said("org/name@v1.3.0") == "ValueError: org/name@v1.3.0: its manifest is of version 1.2.0"
    assert "LocalEntryNotFoundError" in said("org/name@v9.9.9")
    assert said("").endswith("give dataset=ORG/NAME@v1.2.0, or a folder")

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from exports.dataset import composition, read_manifest
from exports.dataset.front_matter import size_category
from exports.dataset.markdown import plain
from exports.dataset.release import checked_release
from exports.dataset.rows import select_rows
from tests.exports.conftest import Build
from tests.exports.samples import certified, facts, many

HOSTILE = (
    "1. <script>alert(1)</script> | [x](http://evil) ![y](z) `c` $a$ *b* @all www.evil\n---\n# H ${canary}"
)


def card_of(folder: Path) -> tuple[dict, str]:
    text = (folder / "README.md").read_bytes().decode("utf-8")
    head, body = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL).groups()
    return yaml.safe_load(head), body


def test_front_matter_names_exactly_the_files_that_exist(build: Build, out: Path) -> None:
    built = build()
    head, _ = card_of(out)
    (config,) = head["configs"]
    assert [entry["split"] for entry in config["data_files"]] == ["test", "dev"]
    assert {entry["path"] for entry in config["data_files"]} == {
        path for path in built.files if path.endswith(".parquet")
    }
    assert (head["license"], head["language"], config["version"]) == ("cc-by-4.0", ["en", "zh"], "1.0.0")


def test_dataset_info_counts_rows_and_bytes(build: Build, out: Path) -> None:
    built = build()
    (info,) = card_of(out)[0]["dataset_info"]
    assert {split["name"]: split["num_examples"] for split in info["splits"]} == built.splits
    sizes = [path.stat().st_size for path in out.rglob("*.parquet")]
    assert info["download_size"] == sum(sizes)
    assert info["dataset_size"] == sum(split["num_bytes"] for split in info["splits"]) > 0


def test_an_empty_split_appears_nowhere_in_the_card(build: Build, out: Path) -> None:
    build(dev_share=0.0)
    head, _ = card_of(out)
    assert [entry["split"] for entry in head["configs"][0]["data_files"]] == ["test"]
    assert [split["name"] for split in head["dataset_info"][0]["splits"]] == ["test"]


def test_only_languages_that_occur_are_named(build: Build, out: Path) -> None:
    build([certified(0)])
    assert card_of(out)[0]["language"] == ["en"]


@pytest.mark.parametrize(
    ("rows", "run", "said"),
    [
        (0, False, None),
        (1, False, "1 of 10 items"),
        (10, True, "10 of 10 items"),
        (0, True, "The run"),
    ],
)
def test_simulated_content_is_marked_in_the_first_line(
    build: Build, out: Path, rows: int, run: bool, said: str | None
) -> None:
    items = [certified(ordinal, simulated=ordinal < rows) for ordinal in range(10)]
    built = build(items, facts=facts(simulated=run))
    head, body = card_of(out)
    first = body.splitlines()[0]
    marked = said is not None
    assert ("SIMULATED" in first) is marked
    assert said is None or said in first
    assert ("simulated" in head["tags"]) is marked
    assert built.simulated is marked
    assert read_manifest(out).simulated is marked


def test_hostile_text_stays_text(build: Build, out: Path) -> None:
    hostile = facts(
        models={"solver": (HOSTILE,)},
        prompts={HOSTILE: HOSTILE},
        funnel=((HOSTILE, 3),),
        dimensions={"D1": HOSTILE},
        tool_version=HOSTILE,
        settings_hash=HOSTILE,
    )
    build(facts=hostile, name="- [N](http://evil) | <b>${canary}</b>")
    head, body = card_of(out)
    assert head["pretty_name"].startswith("- [N]")
    assert head["configs"][0]["config_name"] == "items"
    for mark in ("<script", "<b>", "[x](", "![y]", "[N](", "\n# H", "\n- \\[", "`c`", " @all", "www.evil"):
        assert mark not in body, mark
    assert re.search(r"(?<!\\):(?=//evil)", body) is None
    tables = [line for line in body.splitlines() if "script" in line and line.startswith("|")]
    assert tables
    assert all(len(re.findall(r"(?<!\\)\|", line)) in (3, 9) for line in tables)


@pytest.mark.parametrize("start", ["# a", "- a", "+ a", "1. a", "12) a", "=== a", "--- a", "> a"])
def test_no_text_opens_a_block_at_the_start_of_a_line(start: str) -> None:
    assert re.match(r"#|-|\+|\d+[.)]|=|>", plain(start)) is None


def test_text_that_vanishes_on_the_screen_is_dropped() -> None:
    assert plain("a\u202eb\u200bc\x00d\r\n e") == "a b c d e"


def test_composition_matches_a_count_by_hand(build: Build, out: Path) -> None:
    items = [
        certified(0, dimension_tag="D2", injected_numbers=("40",), naturalness_score=3.5),
        certified(2, dimension_tag="D2", naturalness_score=4.5, simulated=False),
        certified(4, dimension_tag="D1", naturalness_score=5.0),
    ]
    parts = composition(select_rows(items, checked_release("n", "1.0.0", "mit", 0.1), {}).items)
    second = parts.dimensions[1]
    assert [line.label for line in parts.dimensions] == ["D1", "D2"]
    assert (second.items, second.families, second.numbers_mean, second.naturalness_mean) == (2, 2, 1.5, 4.0)
    assert (parts.overall.items, parts.overall.strong + parts.overall.soft) == (3, 3)
    build(items)
    assert "| D2 Environmental mismatch | 2 | 2 | 1.5 | 4.0 | 0.80 |" in card_of(out)[1]


def test_composition_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no items"):
        composition([])


def test_funnel_models_and_prompts_are_in_the_card(build: Build, out: Path) -> None:
    build()
    body = card_of(out)[1]
    assert "| candidates | 240 |" in body
    assert f"| published | {len(many())} |" in body
    assert "| solver | openai/model-a, openai/model-b |" in body
    assert "| `judge@1/zh` | `" + "cd" * 32 + "` |" in body


def test_addresses_and_paths_of_this_machine_stay_out(build: Build, out: Path) -> None:
    specs = (
        "openai/m@http://user:secret@10.0.0.7:8000/v1",
        "gguf//home/me/models/q.gguf",
        "gguf/C:\\me\\w.gguf",
    )
    build(facts=facts(models={"solver": specs}))
    assert read_manifest(out).models["solver"] == ("openai/m", "gguf/q.gguf", "gguf/w.gguf")
    for path in out.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert not any(secret in data for secret in (b"secret", b"10.0.0.7", b"/home/me", str(out).encode()))


def test_prompts_of_items_are_not_printed_in_the_card(build: Build, out: Path) -> None:
    build([certified(0, prompt="A unique question with 40 and 3.5 in it")])
    assert "unique question" not in (out / "README.md").read_text(encoding="utf-8")


def test_canary_is_in_rows_card_and_manifest_and_stays_the_same(build: Build, out: Path) -> None:
    build()
    canary = read_manifest(out).canary
    assert canary in (out / "README.md").read_text(encoding="utf-8")
    assert (out / "jsonl/items/test.jsonl").read_text(encoding="utf-8").count(canary) == build().splits[
        "test"
    ]
    build(version="3.0.0")
    assert read_manifest(out).canary == canary
    build(name="Another")
    assert read_manifest(out).canary != canary


@pytest.mark.parametrize(
    ("rows", "expected"), [(1, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (10**6, "1M<n<10M")]
)
def test_size_category_has_the_limits_of_the_hub(rows: int, expected: str) -> None:
    assert size_category(rows) == expected

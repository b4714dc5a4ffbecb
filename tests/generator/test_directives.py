"""Coverage: which niche a batch is steered to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import next_niche
from salitrap.records import Language
from tests.generator.samples import AREAS, SCENES, TOOLS, TOOLS_ZH, domain, using

COVERED = [using(tool, scene) for tool in TOOLS[:4] for scene in SCENES[:2]]


def test_the_tool_nobody_used_yet_is_chosen_and_stressed() -> None:
    accepted = [*COVERED, *(using("", SCENES[2], area) for area in AREAS for _ in range(5))]
    niche, directive = next_niche(domain(), Language.EN, accepted, 0)
    assert niche.tool == "wicker basket"
    assert "wicker basket" in directive
    assert "tool" in directive


def test_values_outside_the_least_used_are_not_chosen() -> None:
    accepted = [using(TOOLS[0]) for _ in range(9)]
    chosen = {next_niche(domain(), Language.EN, accepted, ordinal)[0].tool for ordinal in range(20)}
    assert chosen == set(TOOLS[1:])


def test_batches_of_one_wave_walk_through_different_niches() -> None:
    niches = [next_niche(domain(), Language.EN, (), ordinal)[0] for ordinal in range(30)]
    assert {niche.tool for niche in niches[:5]} == set(TOOLS)
    assert {niche.scene for niche in niches[:5]} == set(SCENES)
    assert {niche.life_area for niche in niches[:5]} == set(AREAS)
    assert len(set(map(repr, niches))) == len(TOOLS) * len(SCENES) * len(AREAS)


def test_all_axes_get_stressed_when_nothing_is_covered() -> None:
    sentences = [next_niche(domain(), Language.EN, (), ordinal)[1] for ordinal in range(3)]
    assert [any(word in text for text in sentences) for word in ("tool", "setting", "part of life")] == [
        True
    ] * 3


def test_other_domains_and_languages_do_not_count_as_coverage() -> None:
    others = [using(TOOLS[0], dimension_tag="D2"), using(TOOLS[0], language=Language.ZH)] * 5
    assert next_niche(domain(), Language.EN, others, 0) == next_niche(domain(), Language.EN, (), 0)


@pytest.mark.parametrize("name", ["Tea Strainer", "tea-strainer", "fine tea strainer"])
def test_a_tool_counts_as_used_under_a_slightly_different_name(name: str) -> None:
    accepted = [using(name), *(using(tool) for tool in TOOLS[2:] for _ in range(1))] * 2
    assert next_niche(domain(), Language.EN, accepted, 0)[0].tool == "colander"


def test_a_word_that_merely_begins_alike_is_another_tool() -> None:
    accepted = [using("colanders' rack")] * 3 + [using(tool) for tool in TOOLS[1:]]
    assert next_niche(domain(), Language.EN, accepted, 0)[0].tool == "colander"


def test_chinese_niches_have_chinese_values_and_sentences() -> None:
    accepted = [using("不锈钢漏勺", language=Language.ZH), using("竹篮", language=Language.ZH)]
    niche, directive = next_niche(domain(), Language.ZH, accepted, 0)
    assert niche.tool == "渔网"
    assert niche.tool in TOOLS_ZH
    assert directive.endswith("。")


@given(st.lists(st.sampled_from(COVERED), max_size=6), st.integers(0, 500), st.randoms())
def test_the_order_of_accepted_seeds_does_not_matter(accepted: list, ordinal: int, random) -> None:  # type: ignore[no-untyped-def, type-arg]
    shuffled = list(accepted)
    random.shuffle(shuffled)
    of = domain(1)
    assert next_niche(of, Language.EN, accepted, ordinal) == next_niche(of, Language.EN, shuffled, ordinal)


def test_an_axis_without_values_stays_empty_and_is_never_stressed() -> None:
    of = domain()
    bare = of.niches[Language.EN].model_copy(update={"scenes": ()})
    of = of.model_copy(update={"niches": {Language.EN: bare}})
    for ordinal in range(6):
        niche, directive = next_niche(of, Language.EN, (), ordinal)
        assert niche.scene == ""
        assert "setting" not in directive


def test_choices_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "from salitrap.records import Language\nfrom generator import few_shot, next_niche\n"
        "from tests.generator.samples import domain\n"
        "of = domain()\n"
        "print([(next_niche(of, l, (), n), few_shot(of, l, n, 2)) for l in Language for n in range(9)])"
    )
    root = Path(__file__).parents[2]
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1

"""Seed scaling: steering, exclusions, planted faults, domains of users."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from salitrap.lab.plan import PLANTED
from salitrap.lab.tasks.scale import draft_of
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from salitrap.text import WordKind, features, find_words, jaccard, missing_numbers, phi
from tests.lab.asks import (
    ScaleForm,
    ask_for,
    scale_inputs,
    within,
)

NGRAM = {Language.EN: 3, Language.ZH: 2}
LANGUAGES = list(Language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_scale_returns_as_many_seeds_as_asked_for(language: Language) -> None:
    for count in (1, 4, 20):
        assert len(ask_for(ScaleForm, scale_inputs(language, count=count)).seeds) == count


def test_scale_follows_the_niche_mostly() -> None:
    niche = {"tool": "propeller drone", "scene": "hangar", "life_area": "model flying"}
    seeds = [
        seed
        for number in range(40)
        for seed in ask_for(ScaleForm, scale_inputs(Language.EN, niche=niche), number).seeds
    ]
    assert sum("drone" in seed.tool or "fly" in seed.action for seed in seeds) > len(seeds) * 0.05
    assert within(sum(seed.scene == "hangar" for seed in seeds), len(seeds), PLANTED.scale_follows_niche)


def test_scale_avoids_what_is_excluded_but_for_the_planted_share() -> None:
    cell = load_table(Language.ZH).cells["D2"]
    exclusions = [entry.name for entry in cell[:200]]
    excluded = {entry.prompt for entry in cell[:200]}
    batches = [
        ask_for(ScaleForm, scale_inputs(Language.ZH, exclusions=exclusions), number).seeds
        for number in range(400)
    ]
    careless = sum(any(seed.prompt in excluded for seed in batch) for batch in batches)
    assert 0 < careless <= len(batches) * PLANTED.scale_known * 2


def test_the_planted_faults_of_scaling_occur_at_their_rates() -> None:
    language = Language.EN
    cell = load_table(language).cells["D2"]
    exclusions = [entry.name for entry in cell[:20]]
    scenarios = {entry.scenario for entry in cell[:20]}
    seen: Counter[str] = Counter()
    for number in range(500):
        for seed in ask_for(ScaleForm, scale_inputs(language, exclusions=exclusions), number).seeds:
            seen["all"] += 1
            seen["near copy"] += seed.scenario.endswith(", once more")
            seen["scenario"] += seed.scenario in scenarios
            seen["number"] += bool(missing_numbers(seed.injected_numbers, seed.prompt))
            seen["denial"] += not find_words(WordKind.DENIAL, language, seed.trap_core)
            seen["short"] += len(seed.prompt) < 190
    assert within(seen["near copy"], seen["all"], PLANTED.scale_near_copy)
    assert within(seen["number"], seen["all"], PLANTED.scale_stray_number * (1 - PLANTED.scale_near_copy))
    assert within(seen["denial"], seen["all"], PLANTED.scale_no_denial * (1 - PLANTED.scale_near_copy))
    assert within(seen["short"], seen["all"], PLANTED.scale_too_short * (1 - PLANTED.scale_near_copy))
    # Careless batches repeat excluded scenarios too.
    known = PLANTED.scale_known * 20 / len(cell)
    assert within(seen["scenario"], seen["all"], PLANTED.scale_same_scenario + known)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_near_copy_is_similar_to_the_excluded_seed(language: Language) -> None:
    cell = load_table(language).cells["D2"]
    exclusions = [entry.name for entry in cell[:5]]
    old = [features(phi(entry.prompt), NGRAM[language]) for entry in cell[:5]]
    mark = ", once more" if language is Language.EN else "再一次"
    copies = [
        seed
        for number in range(60)
        for seed in ask_for(ScaleForm, scale_inputs(language, exclusions=exclusions), number).seeds
        if mark in seed.scenario
    ]
    assert copies
    for seed in copies:
        new = features(phi(seed.prompt), NGRAM[language])
        assert max(jaccard(new, other) for other in old) >= 0.7


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dimension_of_the_user_gets_new_valid_drafts_from_one_example(language: Language) -> None:
    example = draft_of(load_table(language).cells["D4"][7])
    niche = {"tool": "ladle", "scene": "the canteen", "life_area": "catering"}
    if language is Language.ZH:
        niche = {"tool": "汤勺", "scene": "食堂", "life_area": "聚餐"}
    name = "SOUND: Silent rooms" if language is Language.EN else "SOUND：静音房间"
    inputs = scale_inputs(language, dimension=name, examples=[example], niche=niche, count=8)
    seeds = ask_for(ScaleForm, inputs).seeds
    kept = [example["prompt"]]
    for seed in seeds:
        assert (seed.tool, seed.scene) == (example["tool"], niche["scene"])
        near = max(jaccard(*(features(phi(t), NGRAM[language]) for t in (seed.prompt, old))) for old in kept)
        if near < 0.65 and not missing_numbers(seed.injected_numbers, seed.prompt):
            kept.append(seed.prompt)
    assert len(kept) > 5
    assert len({seed.scenario for seed in seeds}) == len(seeds)
    assert len({(seed.tool, seed.object, seed.action) for seed in seeds}) == len(seeds)


def test_a_dimension_without_examples_and_niche_still_gets_drafts() -> None:
    for language in Language:
        inputs = {"dimension": "X", "definition": scale_inputs(language)["definition"], "count": 2}
        for seed in ask_for(ScaleForm, inputs).seeds:
            assert seed.prompt
            assert seed.trap_core


@pytest.mark.parametrize("count", ["", "many", "-3", "0", "99999999999999999999", [1], None])
def test_an_odd_count_is_brought_within_bounds(count: Any) -> None:
    assert 1 <= len(ask_for(ScaleForm, scale_inputs(Language.EN, count=count)).seeds) <= 50

"""The affordance table: enough seeds, all different, each well formed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from salitrap.lab.phrases import Phrases, found, load_phrases
from salitrap.lab.tasks.sentences import sentences
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from salitrap.text import WordKind, features, find_numerals, find_words, in_language, phi

NGRAM = {Language.EN: 3, Language.ZH: 2}
LENGTHS = {Language.EN: (220, 800), Language.ZH: (80, 300)}
THRESHOLD = 0.7
LANGUAGES = list(Language)


def entries_of(language: Language) -> list[Entry]:
    return [entry for cell in load_table(language).cells.values() for entry in cell]


def closest(texts: Sequence[str], language: Language) -> float:
    """Highest Jaccard of any pair after phi, by one matrix product."""
    sets = [features(phi(text), NGRAM[language]) for text in texts]
    columns = {feature: index for index, feature in enumerate(sorted(frozenset().union(*sets)))}
    matrix = np.zeros((len(sets), len(columns)), dtype=np.float32)
    for row, found_features in enumerate(sets):
        matrix[row, [columns[feature] for feature in found_features]] = 1.0
    shared = matrix @ matrix.T
    sizes = matrix.sum(axis=1)
    scores = shared / (sizes[:, None] + sizes[None, :] - shared)
    np.fill_diagonal(scores, 0.0)
    return float(scores.max())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_has_at_least_250_seeds(language: Language) -> None:
    cells = load_table(language).cells
    assert sorted(cells) == ["D1", "D2", "D3", "D4"]
    assert min(map(len, cells.values())) >= 250


@pytest.mark.parametrize("language", LANGUAGES)
def test_prompts_of_a_language_are_all_below_the_duplicate_threshold(language: Language) -> None:
    assert closest([entry.prompt for entry in entries_of(language)], language) < THRESHOLD


@pytest.mark.parametrize("language", LANGUAGES)
def test_trap_cores_of_a_language_are_all_below_the_duplicate_threshold(language: Language) -> None:
    assert closest([entry.trap_core for entry in entries_of(language)], language) < THRESHOLD


@pytest.mark.parametrize("language", LANGUAGES)
def test_scenarios_names_and_triples_are_unique(language: Language) -> None:
    entries = entries_of(language)
    assert len({entry.scenario for entry in entries}) == len(entries)
    assert len({entry.name for entry in entries}) == len(entries)
    assert len({(entry.tool, entry.object, entry.action) for entry in entries}) == len(entries)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_digit_of_a_prompt_is_in_one_of_its_numbers(language: Language) -> None:
    for entry in entries_of(language):
        assert re.findall(r"\d", entry.prompt) == re.findall(r"\d", " ".join(entry.numbers)), entry.prompt


@pytest.mark.parametrize("language", LANGUAGES)
def test_prompts_hold_four_to_eight_numbers_about_six_on_average(language: Language) -> None:
    counts = [len(entry.numbers) for entry in entries_of(language)]
    assert min(counts) >= 4
    assert max(counts) <= 8
    assert 5.4 <= sum(counts) / len(counts) <= 6.4


@pytest.mark.parametrize("language", LANGUAGES)
def test_prompt_lengths_and_language(language: Language) -> None:
    low, high = LENGTHS[language]
    for entry in entries_of(language):
        assert low <= len(entry.prompt) <= high, entry.prompt
        assert in_language(entry.prompt, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_trap_cores_deny_and_hold_no_figures(language: Language) -> None:
    for entry in entries_of(language):
        assert find_words(WordKind.DENIAL, language, entry.trap_core), entry.trap_core
        assert not find_numerals(entry.trap_core), entry.trap_core
        assert len(entry.ground_truth) > len(entry.trap_core)


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_prompts_neither_escape_nor_patch(language: Language) -> None:
    phrases = load_phrases(language)
    for entry in entries_of(language):
        for kind in (WordKind.ESCAPE, WordKind.PATCH, WordKind.META):
            assert not find_words(kind, language, entry.prompt), entry.prompt
        for bank in (phrases.patches, phrases.patch_words, phrases.escapes, phrases.escape_words):
            assert not found(bank, entry.prompt), entry.prompt
        assert not found(phrases.hints, entry.prompt.casefold()), entry.prompt


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_slot_is_left_unfilled(language: Language) -> None:
    for entry in entries_of(language):
        for text in (entry.scenario, entry.prompt, entry.trap_core, entry.ground_truth, *entry.avoid):
            assert not set("{}<>|") & set(text), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_prompt_and_core_are_recognised_as_their_entry(language: Language) -> None:
    table = load_table(language)
    for entry in entries_of(language):
        assert table.recognise(entry.prompt) is entry, entry.prompt
        assert table.recognise(entry.trap_core) is entry, entry.trap_core


@pytest.mark.parametrize("language", LANGUAGES)
def test_bank_sentences_hold_no_numerals_and_are_split_off_whole(language: Language) -> None:
    phrases: Phrases = load_phrases(language)
    banks = (phrases.openers, phrases.scenes, phrases.closers, phrases.camouflage, phrases.alternatives)
    for entry in (sentence for bank in (*banks, phrases.stilted) for sentence in bank):
        assert not find_numerals(entry), entry
        assert sentences(entry, language) == [entry]


def test_the_planted_shares_of_stilted_seeds_hold() -> None:
    for language in Language:
        stilted = load_phrases(language).stilted
        counts = [len(found(stilted, entry.prompt)) for entry in entries_of(language)]
        assert 0.21 <= counts.count(1) / len(counts) <= 0.29
        assert 0.07 <= counts.count(3) / len(counts) <= 0.13

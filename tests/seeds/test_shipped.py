"""The shipped seeds: how many, sound, and with their numbers exactly as written."""

from __future__ import annotations

from collections import Counter

import pytest

from salitrap.records import Language, Seed
from salitrap.text import WordKind, find_numerals, find_words
from seeds import BUILTIN, builtin_paths, lint_files, load_domains

DOMAINS = load_domains([BUILTIN])
SEEDS = [seed for domain in DOMAINS for seed in domain.seeds]


def test_there_are_eight_seeds_for_each_dimension_and_language() -> None:
    counts = Counter((seed.dimension_tag, seed.language) for seed in SEEDS)
    assert counts == {(tag, language): 8 for tag in ("D1", "D2", "D3", "D4") for language in Language}
    assert len(SEEDS) == 64


def test_the_shipped_files_lint_clean_together() -> None:
    assert lint_files(builtin_paths()) == ()


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.key)
def test_listed_numbers_are_the_numerals_of_the_prompt_in_order(seed: Seed) -> None:
    assert seed.injected_numbers == tuple(numeral.raw for numeral in find_numerals(seed.prompt))


def test_per_cent_entries_keep_their_mark() -> None:
    assert any(entry.endswith("%") for seed in SEEDS for entry in seed.injected_numbers)


def test_keys_and_identities_are_unique() -> None:
    assert len({seed.key for seed in SEEDS}) == len({seed.seed_id for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("kind", [WordKind.ESCAPE, WordKind.META, WordKind.STILTED])
def test_prompts_neither_escape_nor_speak_about_themselves(kind: WordKind) -> None:
    found = {seed.key: find_words(kind, seed.language, seed.prompt) for seed in SEEDS}
    assert {key: words for key, words in found.items() if words} == {}


def test_seeds_spread_over_the_niches_of_their_domain() -> None:
    for domain in DOMAINS:
        for language in Language:
            niches = [seed.niche for seed in domain.seeds_in(language)]
            assert len({niche.tool for niche in niches}) >= 6, (domain.tag, language)
            assert len({niche.life_area for niche in niches}) >= 4, (domain.tag, language)
            assert len(domain.niches[language].tools) > len({niche.tool for niche in niches})


def test_every_file_has_both_languages() -> None:
    for domain in DOMAINS:
        assert set(domain.name) == set(domain.definition) == set(domain.niches) == set(Language)

"""Domains of users: their own traps in other surroundings, good enough for the filters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from curation.dedup import Deduplicator, Kept
from generator.directives import next_niche
from generator.drafts import SeedDraft, draft_to_seed, seed_to_draft
from generator.scaling import exclusion_line, few_shot
from salitrap.lab.draws import Draw
from salitrap.lab.phrases import load_surroundings
from salitrap.lab.tasks.sentences import is_question, sentences
from salitrap.lab.world.compose import Filler
from salitrap.records import Domain, Seed
from salitrap.records.enums import Language
from salitrap.settings import ScaleSettings
from salitrap.text import WordKind, find_numerals, find_words, phi
from seeds import lint_files, load_domain, structural_faults
from tests.lab.asks import ScaleForm, SeedForm, ask_for

OWN = sorted((Path(__file__).parent / "own").glob("*.yaml"))
SETTINGS = ScaleSettings()
BATCHES = 12


def language_of(domain: Domain) -> Language:
    (language,) = domain.name
    return language


def batch(domain: Domain, accepted: list[Seed], ordinal: int, count: int = 4) -> list[SeedForm]:
    """Drafts as the scaling stage asks for them."""
    language = language_of(domain)
    niche, directive = next_niche(domain, language, accepted, ordinal)
    inputs: dict[str, Any] = {
        "dimension": f"{domain.tag}: {domain.name[language]}",
        "definition": domain.definition[language],
        "examples": [seed_to_draft(seed).model_dump() for seed in few_shot(domain, language, ordinal, 3)],
        "directive": directive,
        "niche": niche.model_dump(),
        "exclusions": [exclusion_line(seed) for seed in accepted[-20:]],
        "count": count,
    }
    seeds: list[SeedForm] = ask_for(ScaleForm, inputs, seed=ordinal, model="generator").seeds
    return seeds


def experts(domain: Domain) -> list[Seed]:
    return list(domain.seeds_in(language_of(domain)))


def sound(domain: Domain, draft: SeedForm) -> bool:
    """Without a planted fault that shortens the prompt or drops the hard negative."""
    language = language_of(domain)
    faults = structural_faults(
        draft.prompt, draft.trap_core, draft.ground_truth, draft.injected_numbers, language, SETTINGS
    )
    return not faults


def test_the_domains_of_this_test_are_in_both_languages_and_lint_clean() -> None:
    languages = [language_of(load_domain(path)) for path in OWN]
    assert sorted(languages) == [Language.EN, Language.EN, Language.ZH, Language.ZH]
    assert lint_files(OWN) == ()


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_drafts_keep_the_seeds_own_question_and_trap_core(path: Path) -> None:
    """Regression: a question of the table stood beside the user's trap, whose core was turned about."""
    domain = load_domain(path)
    language, kept = language_of(domain), experts(domain)
    for ordinal in range(BATCHES):
        for draft in filter(lambda one: sound(domain, one), batch(domain, kept, ordinal)):
            (seed,) = [one for one in kept if draft.trap_core.startswith(one.trap_core)]
            assert phi(draft.prompt).endswith(phi(seed.prompt))
            assert (draft.tool, draft.object) == (seed.triple.tool, seed.triple.object)
            own = sentences(draft.prompt, language)
            assert phi(own[-1]) == phi(sentences(seed.prompt, language)[-1])
            assert [part for part in own if is_question(part)] == own[-1:]


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_drafts_have_new_figures_all_listed(path: Path) -> None:
    domain = load_domain(path)
    kept = experts(domain)
    old = {tuple(numeral.value for numeral in find_numerals(seed.prompt)) for seed in kept}
    for draft in batch(domain, kept, 0):
        if not sound(domain, draft):
            continue
        values = tuple(numeral.value for numeral in find_numerals(draft.prompt))
        assert not any(values[-len(one) :] == one for one in old)
        assert draft.injected_numbers == [numeral.raw for numeral in find_numerals(draft.prompt)]


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_enough_drafts_pass_structure_and_the_duplicate_filters(path: Path) -> None:
    domain = load_domain(path)
    dedup, accepted = Deduplicator(SETTINGS.similarity), experts(domain)
    dedup.reserve(accepted)
    for ordinal in range(BATCHES):
        for number, draft in enumerate(batch(domain, accepted, ordinal)):
            if not sound(domain, draft):
                continue
            loose = SeedDraft.model_validate(draft.model_dump())
            key = f"{ordinal}-{number}"
            seed = draft_to_seed(loose, domain.tag, language_of(domain), None, key)
            accepted += [seed] if isinstance(dedup.reserve([seed])[0], Kept) else []
    assert len(accepted) >= 16
    assert len({seed.niche.scene for seed in accepted}) >= 3


@pytest.mark.parametrize("language", list(Language))
def test_surroundings_neither_ask_nor_escape_nor_bring_figures_into_the_core(language: Language) -> None:
    bank = load_surroundings(language)
    for sentence in (*bank.before, *bank.after):
        assert not is_question(sentence)
        for kind in (WordKind.ESCAPE, WordKind.PATCH, WordKind.META):
            assert not find_words(kind, language, sentence), sentence
    assert not any(find_numerals(sentence) for sentence in (*bank.after, *bank.when))
    words = dict.fromkeys(("scene", "life_area", "when"), "x")
    for sentence in bank.before:
        assert len(find_numerals(Filler(Draw(sentence), words).fill(sentence))) == sentence.count("<")


@pytest.mark.parametrize("language", list(Language))
def test_the_users_words_stand_in_quotes(language: Language) -> None:
    """Regression: a sentence took its scene for a place, and any other niche text broke its grammar."""
    bank = load_surroundings(language)
    opened, closed = ("“", "”") if language is Language.ZH else ('"', '"')
    for sentence in (*bank.before, *bank.after):
        for match in re.finditer(r"\{(?:scene|life_area|the_scene)\}", sentence):
            before = sentence[: match.start()]
            assert before.rfind(opened) > before.rfind(closed) or before.count('"') % 2 == 1, sentence

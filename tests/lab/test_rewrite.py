"""Rewriting keeps figures and subject, and goes wrong at the planted rates."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salitrap.lab.desk import reply_to
from salitrap.lab.draws import Draw
from salitrap.lab.phrases import found, load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.tasks.faulty_rewrite import Flaw, draw_flaw
from salitrap.lab.tasks.rewrite import STYLES
from salitrap.lab.tasks.sentences import is_question, sentences
from salitrap.lab.world.compose import Filler
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from salitrap.text import WordKind, find_numerals, find_words, missing_numbers, phi
from tests.lab.asks import (
    RewriteForm,
    ask_for,
    rewrite_inputs,
    some_entries,
    structured,
    within,
)

STRATEGIES = [None, *STYLES]
LANGUAGES = list(Language)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rewrite_without_flaw_keeps_figures_and_subject_and_changes_the_words(
    language: Language, strategy: str | None
) -> None:
    table = load_table(language)
    for entry in some_entries(language, 23):
        ask = structured(RewriteForm, rewrite_inputs(entry, strategy), model="writer")
        if draw_flaw(ask.draw) is not Flaw.NONE:
            continue
        text = json.loads(reply_to(ask).content or "")["rewritten"]
        values = [sorted(numeral.value for numeral in find_numerals(each)) for each in (entry.prompt, text)]
        assert text != entry.prompt
        assert phi(text) != phi(entry.prompt)
        assert not missing_numbers(entry.numbers, text)
        assert strategy == "relevant_numbers" or values[0] == values[1]
        assert table.recognise(text) is entry
        assert not find_words(WordKind.PATCH, language, text)
        assert not find_words(WordKind.ESCAPE, language, text)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_closing_question_stays_the_only_one(language: Language, strategy: str | None) -> None:
    """Regression: a second question, which could be answered without the trap, was put beside it."""
    for entry in some_entries(language, 31):
        closing = [part for part in sentences(entry.prompt, language) if is_question(part)]
        text = ask_for(RewriteForm, rewrite_inputs(entry, strategy), seed=2).rewritten
        asked = [part for part in sentences(text, language) if is_question(part)]
        assert len(asked) == len(closing) == 1, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_after_the_question_does_not_double_it(language: Language) -> None:
    """Regression: behind an escape sentence the question was kept in its place and added again."""
    phrases = load_phrases(language)
    for entry in some_entries(language, 40):
        for escape in phrases.escapes:
            inputs = {**rewrite_inputs(entry, None), "prompt": phrases.join([entry.prompt, escape])}
            text = ask_for(RewriteForm, inputs, seed=7).rewritten
            assert sum(map(is_question, sentences(text, language))) == 1, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_as_much_camouflage_survives_a_second_rewriting_in_other_words(language: Language) -> None:
    """Solvers know it by its exact words; the versions of a seed should not all carry the same sentence."""
    phrases = load_phrases(language)
    stock = (*phrases.camouflage, *phrases.alternatives)
    for entry in some_entries(language, 23):
        first = ask_for(RewriteForm, rewrite_inputs(entry, "decision_alternative"), seed=3).rewritten
        inputs = {**rewrite_inputs(entry, "less_patchiness"), "prompt": first}
        second = ask_for(RewriteForm, inputs, seed=4).rewritten
        if entry.prompt == first or first == second:
            continue
        assert len(found(stock, first)) == len(found(stock, second)) == 2
        assert not set(found(stock, first)) & set(found(stock, second))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_two_rewrites_of_a_prompt_differ_in_more_than_one_sentence(
    language: Language, strategy: str | None
) -> None:
    """Regression: items of one seed that differed in one stock sentence made n look larger than it was."""
    texts = [*load_table(language).cells["D2"][::40], *load_table(language).cells["D4"][::40]]
    for entry in texts:
        asks = [structured(RewriteForm, rewrite_inputs(entry, strategy), seed=seed) for seed in range(4)]
        versions = [json.loads(reply_to(ask).content or "")["rewritten"] for ask in asks]
        sound = [
            set(sentences(text, language))
            for ask, text in zip(asks, versions, strict=True)
            if draw_flaw(ask.draw) is Flaw.NONE
        ]
        for one, other in combinations([set(sentences(entry.prompt, language)), *sound], 2):
            assert len(one ^ other) >= 2, (entry.prompt, versions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_stock_sentence_is_in_more_than_three_per_cent_of_the_items_of_a_demo(language: Language) -> None:
    """80 items of a language, two of each seed, of which the second is a version of the first.

    A demo has 160 items in both languages, of which 3 % are 5. Regression: one opener was in 9 of 85.
    """
    counts: Counter[str] = Counter()
    phrases = load_phrases(language)
    stock = (*phrases.openers, *phrases.scenes, *phrases.closers, *phrases.camouflage, *phrases.alternatives)
    bare = {phi(Filler(Draw(text), {}).fill(text)) for text in phrases.number_sentences}
    for number, entry in enumerate(islice(some_entries(language, 28), 40)):
        inputs = rewrite_inputs(entry, STRATEGIES[1 + number % len(STYLES)])
        for repeat in range(2):
            inputs = {**inputs, "prompt": ask_for(RewriteForm, inputs, seed=repeat).rewritten}
            counts.update(found((*stock, *phrases.stilted), inputs["prompt"]))
            counts.update(bare & {phi(part) for part in sentences(inputs["prompt"], language)})
    assert counts.most_common(1)[0][1] <= 5, counts.most_common(5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_others_keep_the_order_of_their_sentences(language: Language) -> None:
    """Regression: a sentence was moved before the one that said what it was about."""
    own = {
        Language.EN: [
            "Our 2 cats are 34 and 33 months old.",
            "Together makes 67, and Ann wants 60.",
            "So one pass will do.",
            "How much are 4 of those passes?",
        ],
        Language.ZH: [
            "我家两只猫，大的34个月，小的33个月。",
            "合起来67，比要求的60还多。",
            "合办1张证。",
            "4张要多少钱？",
        ],
    }[language]
    prompt = load_phrases(language).join(own)
    inputs = {"prompt": prompt, "trap_core": "x", "strategy": "hide_in_task", "feedback": ""}
    for seed in range(30):
        text = ask_for(RewriteForm, inputs, seed=seed).rewritten
        places = [text.find(part[:6]) for part in own]
        assert -1 in places or places == sorted(places), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_bank_of_the_writers_asks_escapes_or_mends(language: Language) -> None:
    phrases = load_phrases(language)
    banks = (phrases.openers, phrases.scenes, phrases.closers, phrases.camouflage, phrases.alternatives)
    for sentence in (entry for bank in (*banks, phrases.number_sentences) for entry in bank):
        assert not is_question(sentence)
        assert not found(phrases.hints, sentence.casefold())
        assert not found((*phrases.escape_words, *phrases.patch_words), sentence)
        for kind in (WordKind.ESCAPE, WordKind.PATCH, WordKind.META):
            assert not find_words(kind, language, sentence), sentence


def test_relevant_numbers_adds_figures() -> None:
    for language in Language:
        entry = load_table(language).cells["D3"][11]
        counts = {
            len(
                find_numerals(ask_for(RewriteForm, rewrite_inputs(entry, "relevant_numbers"), seed).rewritten)
            )
            for seed in range(10)
        }
        assert max(counts) > len(entry.numbers)


def test_repeated_rewriting_does_not_grow_without_end() -> None:
    for language in Language:
        entry = load_table(language).cells["D1"][3]
        inputs = rewrite_inputs(entry, "natural_scene")
        for seed in range(25):
            inputs = {**inputs, "prompt": ask_for(RewriteForm, inputs, seed).rewritten}
        assert len(inputs["prompt"]) < load_phrases(language).longest + 150


def test_the_planted_flaws_of_rewriting_occur_at_their_rates() -> None:
    entry = load_table(Language.EN).cells["D1"][0]
    flaws = Counter(
        draw_flaw(structured(RewriteForm, rewrite_inputs(entry, None), seed=seed).draw)
        for seed in range(4000)
    )
    planted = {
        Flaw.NUMBER: PLANTED.rewrite_number,
        Flaw.PATCH: PLANTED.rewrite_patch,
        Flaw.ESCAPE: PLANTED.rewrite_escape,
        Flaw.META: PLANTED.rewrite_meta,
        Flaw.COPY: PLANTED.rewrite_copy,
    }
    for flaw, rate in planted.items():
        assert within(flaws[flaw], 4000, rate), flaw


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_flaw_shows_in_the_text(language: Language) -> None:
    phrases = load_phrases(language)
    banks = {Flaw.META: phrases.meta, Flaw.PATCH: phrases.patches, Flaw.ESCAPE: phrases.escapes}
    seen = set()
    for number, entry in enumerate(some_entries(language, 4)):
        ask = structured(RewriteForm, rewrite_inputs(entry, None), seed=number)
        flaw, text = draw_flaw(ask.draw), json.loads(reply_to(ask).content or "")["rewritten"]
        seen.add(flaw)
        if flaw in banks:
            assert any(sentence in text for sentence in banks[flaw])
        if flaw is Flaw.COPY:
            assert text == entry.prompt
        if flaw is Flaw.NUMBER:
            assert missing_numbers(entry.numbers, text)
    assert seen == set(Flaw)


@settings(max_examples=40)
@given(st.text(max_size=300))
def test_any_prompt_can_be_rewritten(prompt: str) -> None:
    inputs = {"prompt": prompt, "trap_core": "x", "strategy": "hide_in_task", "feedback": ""}
    assert isinstance(ask_for(RewriteForm, inputs).rewritten, str)


@pytest.mark.parametrize("language", LANGUAGES)
def test_bank_sentences_do_not_make_a_text_be_about_another_seed(language: Language) -> None:
    """Regression: a scene on a park bench beside a plan with a dog crate named the tool of a third seed."""
    phrases, table = load_phrases(language), load_table(language)
    banks = (phrases.openers, phrases.scenes, phrases.closers, phrases.camouflage, phrases.alternatives)
    for sentence in (entry for bank in (*banks, phrases.number_sentences) for entry in bank):
        told = sentence.casefold()
        named = [keys for keys in table.by_tool if keys in told]
        for entry in (entry for tool in named for entry in table.by_tool[tool].values()):
            for other in table.cells[entry.tag]:
                if other.object == entry.object:
                    assert table.recognise(f"{other.prompt} {sentence}") is other, sentence

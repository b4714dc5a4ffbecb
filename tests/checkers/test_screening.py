"""Screening by rules: every category, evasions, figures that are only figures, masking, time."""

from __future__ import annotations

import time
from collections import defaultdict

import pytest

from benchmarks.screening import found_in, labelled, shipped
from checkers.screening import masked_text, screen_text
from checkers.screening.word_lists import read_words
from salitrap.records import Language
from salitrap.settings import ScreenCategory, ScreeningSettings
from salitrap.text import han_share

BY_MODEL = ScreenCategory.PERSONAL_DATA


def test_every_category_has_texts_in_both_languages() -> None:
    languages = defaultdict(set)
    for category, text in labelled():
        languages[category].add(Language.ZH if han_share(text) > 0.1 else Language.EN)
    wanted = {one.value for one in ScreenCategory if one is not BY_MODEL}
    assert {name for name, found in languages.items() if found == set(Language)} - {""} == wanted


@pytest.mark.parametrize(("category", "text"), labelled())
def test_a_text_is_found_for_what_it_is_and_nothing_else(category: str, text: str) -> None:
    assert found_in(text) == ({category} if category else set())


def test_no_shipped_seed_is_found() -> None:
    assert [text for text in shipped()["seeds"] if found_in(text)] == []


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("phone", "打１３８００１３８０００找我"),
        ("phone", "打1-3-8-0-0-1-3-8-0-0-0找我"),
        ("phone", "打138\u200b0013\u200b8000找我"),
        ("phone", "打138 0013 8000找我"),
        ("card", "４１１１ １１１１ １１１１ １１１１"),
        ("card", "4111-1111-1111-1111"),
        ("email", "sоmeone@exаmple.com"),
        ("drugs", "hеrоin"),
        ("drugs", "HER\u00adOIN"),
        ("drugs", "cοcaine"),
        ("weapons", "炸 药"),
        ("weapons", "pipe-bomb"),
        ("resident_id", "110105 19491231 002x"),
    ],
)
def test_a_disguise_is_seen_through(category: str, text: str) -> None:
    assert category in found_in(text)


@pytest.mark.parametrize(
    "text",
    ["4111 1111 1111 1112", "110105194912310021", "GB83 WEST 1234 5698 7654 32", "13800138000元", "heroine"],
)
def test_a_wrong_check_digit_or_a_longer_word_is_no_finding(text: str) -> None:
    assert found_in(text) == set()


def test_what_is_shown_holds_no_personal_data_in_clear() -> None:
    """A finding goes into logs, cards and --json."""
    for category, text in labelled():
        for one in screen_text(text):
            if one.category.is_personal:
                clear = text[one.start : one.end]
                assert clear not in one.model_dump_json(), category
                assert clear not in masked_text(text, [one])
    assert screen_text("打13800138000找我")[0].shown == "138****8000"


def test_allowed_terms_and_unlisted_categories_are_no_finding() -> None:
    text = "write to someone@example.com about cocaine"
    allowed = ScreeningSettings(allow=("SOMEONE@example.com",))
    assert [one.category for one in screen_text(text, allowed)] == [ScreenCategory.DRUGS]
    assert screen_text(text, ScreeningSettings(block=(), warn=())) == ()


@pytest.mark.parametrize("part", ["1", "@", "1 ", "a.", "a@", "+1 ", ":", "٣", "gb12 ", "家住", "heroin "])
def test_no_text_takes_long(part: str) -> None:
    text = (part * 100_000)[:100_000]
    start = time.process_time()
    screen_text(text)
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("language", Language)
def test_word_lists_name_each_phrase_once(language: Language) -> None:
    for words in read_words(language).values():
        assert len(set(words)) == len(words)

"""Planted overlaps are found exactly, as by brute force, wherever the corpus is cut."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.contamination import ReleaseText, Sizes, overlap_of
from exports.contamination import corpus as module
from exports.contamination.corpus import Corpus
from exports.contamination.overlap import Overlap, overlap_needed
from exports.contamination.units import units_of
from salitrap.records.enums import Language

CANARY = "Do not train on it. salitrap:canary:0000-1111"
SIZES = Sizes(words=4, characters=5)
EN, ZH = Language.EN, Language.ZH
WORDS = ["the", "car", "wash", "is", "fifty", "metres", "away", "walk", "or", "drive", "40", "soap"]


def text(number: int, content: str, language: Language = EN) -> ReleaseText:
    return ReleaseText(text_id=f"t{number}", text=content, language=language, dimension_tag="D1")


def searched(path: Path, texts: list[ReleaseText], content: str) -> Overlap:
    (path / "corpus.txt").write_text(content, encoding="utf-8")
    corpus = Corpus([path / "corpus.txt"], overlap_needed(CANARY, texts, SIZES))
    return overlap_of(CANARY, texts, corpus, SIZES)


def brute_force(one: ReleaseText, content: str) -> tuple[int, bool]:
    """Distinct n-grams of a text that stand in the content, and whether all of it does."""
    units, others = units_of(one.text, one.language), units_of(content, one.language)
    size = min(len(units), SIZES.of(one.language))

    def grams(of: list[str], length: int) -> set[tuple[str, ...]]:
        return {tuple(of[begin : begin + length]) for begin in range(len(of) - length + 1)}

    return len(grams(units, size) & grams(others, size)), tuple(units) in grams(others, len(units))


@given(seed=st.integers(0, 10**6), window=st.integers(20, 300))
def test_it_finds_what_brute_force_finds(
    seed: int, window: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = random.Random(seed)
    texts = [text(number, " ".join(chance.choices(WORDS, k=chance.randint(2, 12)))) for number in range(6)]
    texts += [text(9, "洗车店离我家五十米走路还是开车", ZH)]
    pieces = [
        " ".join(chance.choices([*WORDS, "other", "洗车店离我家五"], k=chance.randint(1, 30)))
        for _ in range(30)
    ]
    pieces += [one.text for one in texts if chance.random() < 0.5]
    chance.shuffle(pieces)
    content = " , ".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WINDOW", window)
        found = searched(tmp_path_factory.mktemp("corpus"), texts, content)
    for one, told in zip(texts, found.texts, strict=True):
        assert (told.found, told.exact) == brute_force(one, content), one.text


def test_spelling_that_does_not_matter(tmp_path: Path) -> None:
    texts = [text(0, "The car wash is 50 metres away."), text(1, "洗车店,离我家50米。", ZH)]
    found = searched(tmp_path, texts, "x the CAR wash -- is ５０ metres\naway y 洗车店 离我家５０米")
    assert [(one.exact, one.share) for one in found.texts] == [(True, 1.0), (True, 1.0)]


def test_a_part_of_a_word_is_no_word(tmp_path: Path) -> None:
    found = searched(tmp_path, [text(0, "drive or walk now")], "I drive or walk nowhere")
    assert (found.texts[0].found, found.texts[0].exact) == (0, False)


def test_a_text_that_is_shorter_than_an_n_gram_is_looked_for_whole(tmp_path: Path) -> None:
    found = searched(tmp_path, [text(0, "walk now")], "a walk now b")
    assert found.texts[0].short and found.texts[0].exact


@pytest.mark.parametrize("window", [10, 33, 64, 1000])
def test_the_canary_is_counted_once_wherever_it_lies(
    tmp_path: Path, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WINDOW", window)
    marker = "salitrap:canary:0000-1111"
    content = f"{'a ' * 40}{marker}{' b' * 100} x{marker}y {marker}"
    found = searched(tmp_path, [text(0, "one two three four")], content)
    places = [begin for begin in range(len(content)) if content.startswith(marker, begin)]
    assert found.canary_count == 3
    assert [int(place.rpartition(" ")[2]) for place in found.canary_places] == places


def test_counts_by_share(tmp_path: Path) -> None:
    texts = [text(0, "the car wash is fifty metres away"), text(1, "walk or drive the car wash 40 soap")]
    found = searched(tmp_path, texts, "the car wash is fifty metres away. walk or drive the")
    assert [found.at_least(share) for share in (1.0, 0.8, 0.0)] == [1, 1, 2]
    assert [one.text_id for one in found.exact] == ["t0"]
    assert found.canary_count == 0 and found.texts[0].where.endswith("character 0")

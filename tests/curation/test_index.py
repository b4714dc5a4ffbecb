"""The index against brute force over plain sets, with every engine that is installed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.dedup import index as index_module
from curation.dedup.bands import EDGES, Band, coarse_words, edge_of, plan, words_enough
from curation.dedup.engine import NumpyEngine, fast_engine
from curation.dedup.grams import points_of
from curation.dedup.index import EngineName, JaccardIndex, Match
from curation.dedup.signatures import FINER, WORD, Widths, folded
from curation.dedup.similar import SimilarTexts
from salitrap.settings import SimilaritySettings
from salitrap.text import features, jaccard, phi, script_of

ENGINES: list[EngineName] = ["numpy", "numba"] if fast_engine() else ["numpy"]
TEXTS = st.text(alphabet="abcde 五十米走路x\u0301🚗\ud800", max_size=40)


def brute_force(texts: list[str], asked: str, n: int, floor: float) -> list[Match]:
    scores = (jaccard(features(asked, n), features(text, n)) for text in texts)
    return [Match(position, score) for position, score in enumerate(scores) if score >= floor]


@pytest.mark.parametrize("engine", ENGINES)
@settings(deadline=None)
@given(texts=st.lists(TEXTS, max_size=60), asked=TEXTS, n=st.integers(1, 5), floor=st.floats(0.05, 1.0))
def test_the_index_finds_what_brute_force_finds(
    engine: EngineName, texts: list[str], asked: str, n: int, floor: float
) -> None:
    index = JaccardIndex(n, engine)
    for text in texts:
        index.add(index.grams(text))
    assert index.matches(index.grams(asked), floor) == brute_force(texts, asked, n, floor)


ALPHABETS = ["abcdefgh ", "洗车店走路开车五米", "ab洗车 c", "x\ud800🚗é👩‍👧"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_texts_of_all_lengths_and_their_edits_are_judged_as_by_brute_force(
    engine: EngineName, alphabet: str
) -> None:
    draw, n = random.Random(alphabet.encode("utf-8", "surrogatepass")), 2 if "洗" in alphabet else 3
    index, texts = JaccardIndex(n, engine), list[str]()
    for _ in range(160):
        text = edited(draw.choice(texts), alphabet, draw) if texts and draw.random() < 0.5 else ""
        text = text or "".join(draw.choices(alphabet, k=draw.choice((0, 1, 2, 3, 5, 40, 150, 400, 1500))))
        grams, floor = index.grams(text), draw.choice((0.05, 0.3, 0.55, 0.7, 1.0))
        assert index.matches(grams, floor) == brute_force(texts, text, n, floor)
        index.add(grams)
        texts.append(text)


def edited(text: str, alphabet: str, draw: random.Random) -> str:
    letters = list(text)
    for _ in range(draw.randint(0, 6)):
        if letters:
            letters[draw.randrange(len(letters))] = draw.choice(alphabet)
    return "".join(letters)


@pytest.mark.parametrize("engine", ENGINES)
def test_many_columns_are_searched_chunk_by_chunk(
    engine: EngineName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places are counted from the start of the band, not of the chunk or tile."""
    monkeypatch.setattr("curation.dedup.engine.CHUNK", 64)
    draw, index = random.Random(5), JaccardIndex(3, engine)
    texts = ["".join(draw.choices("abcdefghij ", k=120)) for _ in range(2100)]
    for text in texts:
        index.add(index.grams(text))
    for position in (0, 63, 64, 1023, 1024, 2047, 2048, 2099):
        found = index.nearest(index.grams(texts[position][:-2] + "!?"), 0.7)
        assert found is not None and found.position == position


def test_the_oldest_of_equals_is_the_nearest() -> None:
    index = JaccardIndex(3)
    for text in ("walk or ride", "walk or drive", "walk or drive", "something else"):
        index.add(index.grams(text))
    assert index.nearest(index.grams("walk or drive"), 0.5) == Match(1, 1.0)
    assert index.nearest(index.grams("unlike all of them"), 0.5) is None


def test_short_and_empty_texts_do_not_collapse() -> None:
    index = JaccardIndex(3)
    for text in ("", "a", "b", "ab", "abc"):
        assert index.matches(index.grams(text), 0.01) == []
        index.add(index.grams(text))
    assert index.matches(index.grams("a"), 0.01) == [Match(1, 1.0)]
    assert index.matches(index.grams(""), 0.01) == []


def test_a_floor_outside_its_range_and_an_empty_gram_are_refused() -> None:
    index = JaccardIndex(3)
    for floor in (0.0, 1.1):
        with pytest.raises(ValueError, match="floor"):
            index.matches(index.grams("walk"), floor)
    with pytest.raises(ValueError, match="n >= 1"):
        JaccardIndex(0)


@pytest.mark.skipif("numba" not in ENGINES, reason="the extra fast is not installed")
@given(st.text(max_size=80), st.text(max_size=80), st.integers(1, 3))
@settings(deadline=None)
def test_engines_agree(left: str, right: str, n: int) -> None:
    plain, fast = NumpyEngine(), fast_engine()
    assert fast is not None
    mine, theirs = plain.codes(points_of(left), n), fast.codes(points_of(left), n)
    assert sorted(mine.tolist()) == sorted(theirs.tolist())
    widths = Widths.of([3, 8, 15])
    assert plain.signatures(mine, widths).tolist() == fast.signatures(theirs, widths).tolist()
    others = [right, left, "", right + left]
    assert plain.common(mine, others, n).tolist() == fast.common(theirs, others, n).tolist()


def test_without_numba_the_index_goes_on_with_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "fast_engine", lambda: None)
    monkeypatch.setattr(index_module, "SMALL", 3)
    index = JaccardIndex(2)
    for text in ("abcd", "efgh", "ijkl", "mnop"):
        index.add(index.grams(text))
    assert index.engine == "numpy"
    with pytest.raises(ImportError, match=r"salitrap\[fast\]"):
        JaccardIndex(2, "numba")


@pytest.mark.parametrize("engine", ENGINES)
def test_grams_across_two_texts_count_for_neither(engine: EngineName) -> None:
    """The texts to compare exactly are laid end to end: "ab" and "cd" together hold "bc"."""
    index = JaccardIndex(2, engine)
    for text in ("ab", "cd", "a", "b", ""):
        index.add(index.grams(text))
    assert index.matches(index.grams("bc"), 0.01) == []
    assert index.matches(index.grams("ab"), 0.01) == [Match(0, 1.0)]
    assert index.matches(index.grams("a"), 0.01) == [Match(2, 1.0)]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("length", "floor"), [(250, 0.55), (900, 0.55), (900, 0.05)])
def test_no_engine_excludes_a_set_within_the_bound(name: str, length: int, floor: float) -> None:
    """Counts of differing bits beyond one byte, and bounds beyond one byte."""
    engine = fast_engine() if name == "numba" else NumpyEngine()
    assert engine is not None
    draw, band = random.Random(length), Band(edge_of(length))
    texts = ["".join(draw.choices("abcdefghijkl ", k=length)) for _ in range(200)]
    texts += [edited(draw.choice(texts), "xyz", draw) for _ in range(200)]
    codes = [engine.codes(points_of(text), 3) for text in texts]
    for position, each in enumerate(codes):
        band.add(position, each.size, engine.signatures(each, band.widths))
    asked = set(codes[250].tolist())
    (window,), widths = plan(len(asked), floor, (band.edge,))
    words = engine.signatures(codes[250], widths)
    near = set(engine.near(band.shelf, band.count, words, window.bound).tolist())
    scores = [jaccard(asked, set(each.tolist())) for each in codes]
    assert {place for place, score in enumerate(scores) if score >= floor} <= near
    assert floor < 0.1 or len(near) < 100, "the bounds exclude most unrelated sets"


def test_a_folded_signature_is_that_of_the_smaller_width() -> None:
    engine = NumpyEngine()
    codes = engine.codes(points_of("walk or drive to the car wash, fifty metres away"), 3)
    both = engine.signatures(codes, Widths.of([FINER * 5, 5]))
    assert folded(both[: FINER * 5]).tolist() == both[FINER * 5 :].tolist()


def test_every_size_has_one_band_and_bits_to_spare() -> None:
    for size in (0, 1, 16, 17, 128, 129, 5000, 10**6):
        edge = edge_of(size)
        assert size <= edge and (edge == EDGES[0] or size > EDGES[EDGES.index(edge) - 1])
    assert coarse_words(EDGES[8]) * WORD >= 2 * EDGES[8]
    assert all(3 <= words_enough(words, grams, 3) <= words for words in (3, 8) for grams in (0, 9, 900))


def test_a_search_computes_signatures_for_bands_that_exist() -> None:
    """A floor near 0 reaches sizes of millions: signatures as wide as that would fill the memory."""
    assert plan(10**9, 1e-6, ()).windows == ()
    windows, widths = plan(100, 1e-6, (16, 128))
    assert [window.edge for window in windows] == [16, 128] and widths.total < 2000


def test_scripts_have_their_own_feature_and_a_fixed_script_takes_all() -> None:
    own, fixed = (
        SimilarTexts(SimilaritySettings()),
        SimilarTexts(SimilaritySettings(), script=script_of("洗车")),
    )
    for texts in (own, fixed):
        texts.add("zh", texts.prepare("洗车店离我家只有五十米"))
        texts.add("en", texts.prepare("The car wash is near"))
    assert own.prepare("The car").grams.n == 3 and fixed.prepare("The car").grams.n == 2
    assert own.matches(own.prepare("The car wash is near"), 0.9) == [("en", 1.0)]
    assert fixed.prepare("50 米").grams.text == phi("50 米")

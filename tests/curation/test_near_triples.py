"""Near triples and their synonym tables (filter f4), with the labelled triples of the benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.dedup_pairs import Language, PairKind, read_pairs
from curation.dedup.near_triples import canonical_parts, near_triple, nearest_triple, part_score
from salitrap.errors import SeedFileError
from salitrap.records import Triple
from salitrap.text.synonyms import NO_SYNONYMS, read_synonyms, shipped_synonyms


def triple(tool: str, thing: str = "water", action: str = "freeze") -> Triple:
    return Triple(tool=tool, object=thing, action=action)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (triple("Fridge"), triple("refrigerator")),
        (triple("old hoover"), triple("old vacuum cleaner")),
        (triple("blow-dryer", "hair", "dry"), triple("hairdryer", "hair", "dry out")),
        (triple("电饭锅", "番茄", "煮"), triple("电饭煲", "西红柿", "煮熟")),
        (triple("图书证", "房贷", "还"), triple("借书证", "房贷", "偿还")),
    ],
)
def test_synonyms_make_triples_equal(one: Triple, other: Triple) -> None:
    assert canonical_parts(one) == canonical_parts(other)
    assert near_triple(one, other) == 1.0
    assert near_triple(one, other, NO_SYNONYMS) < 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("freezer", "refrigerator"),
        ("paper map", "map"),
        ("candle", "LED candle"),
        ("washing machine", "laundry"),
        ("microphone", "microtelephone"),
        ("归还", "偿还"),
        ("电磁炉", "燃气灶"),
        ("50 m hose", "60 m hose"),
    ],
)
def test_other_things_stay_apart(one: str, other: str) -> None:
    assert near_triple(triple(one), triple(other)) < 1.0
    assert near_triple(triple("hose", action=one), triple("hose", action=other)) < 1.0


def test_a_word_inside_a_word_is_none() -> None:
    """``phone`` is in a group; the phone of ``headphones`` is not it."""
    assert shipped_synonyms().thing("headphones") == "headphones"
    assert shipped_synonyms().thing("my phone") == shipped_synonyms().thing("my telephone") != "my phone"


def test_the_longest_word_counts() -> None:
    """A mobile phone is no telephone: the group of the longer word is taken."""
    assert shipped_synonyms().thing("cell phone") == "mobile phone"


@pytest.mark.parametrize(
    ("one", "other"), [("♥", "★"), ("Привет", "Γειά"), ("...", "!!!"), ("炉", "stove"), ("", ""), (" ", "")]
)
def test_leftovers_are_never_equal(one: str, other: str) -> None:
    """String libraries strip symbols or whole scripts and then call two empty texts equal."""
    assert near_triple(triple(one), triple(other)) < 0.5


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_part_scores_1_only_when_equal_and_order_does_not_matter(one: str, other: str) -> None:
    score = part_score(one, other)
    assert 0.0 <= score <= 1.0
    assert score == part_score(other, one)
    assert score < 1.0 or one == other


@given(st.text(min_size=1, max_size=12))
def test_replacing_synonyms_twice_changes_nothing(name: str) -> None:
    table = shipped_synonyms()
    assert table.thing(table.thing(name)) == table.thing(name)


def test_every_listed_word_has_the_normal_form_of_its_group() -> None:
    table = shipped_synonyms()
    for word, first in table.things.items():
        assert table.thing(word) == first, word
    for word, first in table.actions.items():
        assert table.action(word) == first, word


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_labelled_triples(language: Language) -> None:
    """From 0.7 on nearly all near triples are rewordings; unrelated ones stay below a half."""
    pairs = [pair for pair in read_pairs(language) if pair.triples is not None]
    scored = [(pair.kind, near_triple(*pair.triples)) for pair in pairs if pair.triples is not None]
    near = [kind for kind, score in scored if score >= 0.7]
    assert len(near) >= 10
    assert near.count(PairKind.REWORDED) >= 0.9 * len(near)
    assert all(score < 0.5 for kind, score in scored if kind is PairKind.UNRELATED)
    assert not [
        pair.id for pair in pairs if pair.triples and not pair.duplicate and near_triple(*pair.triples) == 1.0
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_synonyms_find_rewordings_that_spelling_does_not(language: Language) -> None:
    pairs = [pair.triples for pair in read_pairs(language) if pair.triples is not None and pair.duplicate]
    assert sum(near_triple(*both) == 1.0 for both in pairs) >= 4
    assert sum(near_triple(*both, NO_SYNONYMS) == 1.0 for both in pairs) == 0


def test_the_nearest_is_the_first_of_the_best() -> None:
    others = [("far", triple("anvil")), ("a", triple("refrigerators")), ("b", triple("refrigerators"))]
    found = nearest_triple(triple("fridge"), others, 0.7)
    assert found is not None
    assert found.owner == "a"
    assert nearest_triple(triple("fridge"), others[:1], 0.7) is None


def test_own_tables_add_up(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("things:\n  - [quern, hand mill]\n", encoding="utf-8")
    table = read_synonyms(mine)
    assert near_triple(triple("hand mill"), triple("Quern"), table) == 1.0


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("things:\n  - [quern, mill]\n  - [mill, grinder]\n", 3, "another group"),
        ("things:\n  - [quern]\n", 2, "at least two words"),
        ("things:\n  - quern\n", 2, "at least two words"),
        ("actions: grind\n", None, "a list of groups"),
        ("verbs:\n  - [grind, mill]\n", None, "things and actions"),
    ],
)
def test_a_faulty_table_is_named_with_its_line(
    tmp_path: Path, text: str, line: int | None, words: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SeedFileError, match=words) as caught:
        read_synonyms(path)
    assert str(caught.value).startswith(f"{path}:{line}:" if line else f"{path}")

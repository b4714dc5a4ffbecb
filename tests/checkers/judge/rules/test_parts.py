"""The parts of the rules: sentences, content words, figures, lists, weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from checkers.judge.rules import phrases, shipped_weights, weights
from checkers.judge.rules.content import content, topic_of
from checkers.judge.rules.figures import asked_of, calculations, figures_of
from checkers.judge.rules.phrases import Cue, cue_patterns
from checkers.judge.rules.signs import Whole, known_of, sentence_signs, sentences_of
from checkers.judge.rules.units import units_of
from checkers.judge.rules.weights import BIAS, Decision, likelihood
from salitrap.errors import SeedFileError
from salitrap.records import Language
from tests.checkers.judge.rules.questions import COLANDER, SIEVE


def split(answer: str) -> list[str]:
    return [unit.text for unit in units_of(answer, COLANDER)]


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("One thing. Another one! A third?", ["One thing.", "Another one!", "A third?"]),
        ("It takes 2.73 min, e.g. at noon. Fine.", ["It takes 2.73 min, e.g. at noon.", "Fine."]),
        ("- first\n- second\n\n| a | 3 |", ["- first", "- second", "| a | 3 |"]),
        ("先算。再看！行不行？好", ["先算。", "再看！", "行不行？", "好"]),
        ("水够了，不过桶漏了。", ["水够了，", "不过桶漏了。"]),
        ("", []),
        ("\n \n", []),
    ],
)
def test_sentences_rows_and_entries_stand_alone(answer: str, parts: list[str]) -> None:
    assert split(answer) == parts


def test_a_text_without_marks_is_cut_into_pieces_that_lose_nothing() -> None:
    parts = units_of("word " * 500, COLANDER)
    assert len(parts) > 5
    assert sum(part.text.count("word") for part in parts) == 500


def test_units_know_their_place() -> None:
    answer = "  First one. \n\n Second (with a remark that is rather long) one; third."
    for unit in units_of(answer, COLANDER):
        assert answer[unit.start : unit.end] == unit.text


@pytest.mark.parametrize(
    ("answer", "denies"),
    [
        ("It can't hold any.", True),
        ("No later than noon.", False),
        ("Don't forget the hat.", False),
        ("I can't help with this.", False),
        ("There is no such trip.", True),
    ],
)
def test_only_a_statement_that_something_is_not_so_denies(answer: str, denies: bool) -> None:
    assert any(unit.denies for unit in units_of(answer, COLANDER)) is denies


def test_a_denial_of_the_request_itself_denies_nothing() -> None:
    """Guards: restating "没装空调" was read as an objection."""
    question = SIEVE.__class__("屋里没装空调，几点能凉？", "风扇不制冷。", "风扇不能降温。", Language.ZH)
    assert not any(unit.denies for unit in units_of("屋里没装空调。", question))
    assert any(unit.denies for unit in units_of("风扇没有用。", question))


def test_content_is_stems_in_english_and_characters_in_chinese() -> None:
    assert content("The coloured colours melt; melted", Language.EN) == {"colour", "melt"}
    assert {"网眼", "网", "眼"} <= content("网眼", Language.ZH)
    assert content("the and with 12", Language.EN) == frozenset()


def test_what_only_the_truth_says_is_fresh() -> None:
    topic = topic_of(COLANDER)
    assert "mesh" in topic.fresh
    assert "coland" in topic.known
    assert not topic.fresh & topic.known


def test_figures_in_words_count_in_english() -> None:
    assert [one.value for one in figures_of("Twelve notes and 3.5 km", Language.EN)] == ["12", "3.5"]
    assert [one.value for one in figures_of("一共30趟", Language.ZH)] == ["30"]


@pytest.mark.parametrize(
    ("text", "least"), [("3 × 4 = 12", 2), ("| a | 3 |", 2), ("$a \\times b$", 1), ("at 12:30", 0)]
)
def test_signs_of_calculation(text: str, least: int) -> None:
    assert (calculations(text) >= least) if least else calculations(text) == 0


def test_an_answer_to_what_is_asked_is_recognised() -> None:
    asked = asked_of(COLANDER)
    assert asked.answered_in("Start at 14:00.")
    assert asked.answered_in("That is 30 trips.")
    assert not asked.answered_in("It holds 3 litres.")
    assert asked_of(SIEVE).answered_in("一共30趟")
    assert not asked_of(SIEVE).answered_in("一次3升")


@pytest.mark.parametrize("language", list(Language))
def test_every_cue_has_phrases_in_both_languages(language: Language) -> None:
    assert set(cue_patterns(language)) == set(Cue)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("denial: [no]\n", "expected the lists denial"),
        ("\n".join(f"{cue.value}: [x]" for cue in Cue).replace("meta: [x]", "meta: x"), "meta: expected a"),
    ],
)
def test_a_broken_list_is_told(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(phrases, "DATA", tmp_path)
    with pytest.raises(SeedFileError, match=message):
        cue_patterns.__wrapped__(Language.EN)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("completes: {bias: 1}\n", "expected weights for is_notice"),
        ("\n".join(f"{one.value}: {{bias: x}}" for one in Decision), "is_notice: expected a number"),
        ("\n".join(f"{one.value}: {{figures: 1}}" for one in Decision), "expected a number"),
    ],
)
def test_broken_weights_are_told(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "weights.yaml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(weights, "FILE", path)
    with pytest.raises(SeedFileError, match=message):
        shipped_weights.__wrapped__()


def test_every_weight_is_for_a_sign_that_there_is() -> None:
    sentences = sentences_of("It can't. Start at 14:00.", known_of(COLANDER))
    of_sentence = sentence_signs(sentences)[0]
    of_answer = Whole(known_of(COLANDER), sentences, [0.1] * len(sentences)).signs()
    for decision, given in shipped_weights().items():
        signs = of_sentence if decision is Decision.IS_NOTICE else of_answer
        assert set(given) - {BIAS} <= set(signs), decision


def test_a_likelihood_stays_between_0_and_1() -> None:
    assert likelihood({"a": 1e9, BIAS: 0.0}, {"a": 1.0}) <= 1.0
    assert likelihood({"a": -1e9, BIAS: 0.0}, {"a": 1.0}) >= 0.0
    assert likelihood({BIAS: 0.0}, {}) == 0.5

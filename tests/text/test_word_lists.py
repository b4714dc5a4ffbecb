"""Word lists: what they catch, what they leave alone."""

from __future__ import annotations

import pytest

from salitrap.records import Language
from salitrap.text import WordKind, find_words, phrases

EN, ZH = Language.EN, Language.ZH
CAUGHT = [
    (WordKind.ESCAPE, EN, "Just calculate the total."),
    (WordKind.ESCAPE, EN, "Ignore the practicality, please."),
    (WordKind.ESCAPE, EN, "Assume for now that it works."),
    (WordKind.ESCAPE, EN, "HYPOTHETICALLY, how long?"),
    (WordKind.ESCAPE, EN, "Don’t worry about whether I can."),
    (WordKind.ESCAPE, ZH, "你只需计算就好"),
    (WordKind.ESCAPE, ZH, "先不考虑实际情况"),
    (WordKind.ESCAPE, ZH, "假设这个办法可行"),
    (WordKind.PATCH, EN, "A friend will bring the car over."),
    (WordKind.PATCH, EN, "We could simulate the drive."),
    (WordKind.PATCH, EN, "Instead I also have a bucket."),
    (WordKind.PATCH, EN, "The cost is reimbursed for the trip."),
    (WordKind.PATCH, ZH, "朋友会帮我把车开过来"),
    (WordKind.PATCH, ZH, "可以上门洗车"),
    (WordKind.PATCH, ZH, "我们用模拟的方式"),
    (WordKind.PATCH, ZH, "我只是为了报销"),
    (WordKind.META, EN, "Here is the rewritten prompt:"),
    (WordKind.META, EN, "As an AI language model, I"),
    (WordKind.META, EN, "```json"),
    (WordKind.META, ZH, "以下是改写后的提示：作为一个AI"),
    (WordKind.DENIAL, EN, "A colander can't hold broth."),
    (WordKind.DENIAL, EN, "It is IMPOSSIBLE to do."),
    (WordKind.DENIAL, ZH, "漏勺装不住汤"),
    (WordKind.DENIAL, ZH, "漏勺无法盛汤"),
    (WordKind.REFUSAL, EN, "I'm sorry, but I can't help."),
    (WordKind.REFUSAL, ZH, "抱歉，我无法提供帮助"),
    (WordKind.STILTED, EN, "Calculate the total distance."),
    (WordKind.STILTED, ZH, "请列出计算过程，求最小值"),
]
CLEAN = [
    (WordKind.ESCAPE, EN, "I just calculated nothing yet; how long do I need for 12 lanterns?"),
    (WordKind.ESCAPE, ZH, "我想算一下来回要多久，顺便看看够不够时间"),
    (WordKind.PATCH, EN, "My friend lives 50 m away and I want to wash my car."),
    (WordKind.PATCH, EN, "A stimulating drive, virtually every week."),
    (WordKind.PATCH, ZH, "我朋友家离这里五十米，我想去洗车"),
    (WordKind.META, EN, "I want to rewrite my will before 8:30."),
    (WordKind.META, ZH, "我想重新写一封信"),
    (WordKind.DENIAL, EN, "Tie the knot in the notebook, as noted."),
    (WordKind.DENIAL, ZH, "漏勺可以盛汤"),
]


@pytest.mark.parametrize(("kind", "language", "text"), CAUGHT)
def test_giveaway_wording_is_found_verbatim(kind: WordKind, language: Language, text: str) -> None:
    found = find_words(kind, language, text)
    assert found and all(match in text for match in found)


@pytest.mark.parametrize(("kind", "language", "text"), CLEAN)
def test_ordinary_wording_is_left_alone(kind: WordKind, language: Language, text: str) -> None:
    assert find_words(kind, language, text) == ()


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("kind", list(WordKind))
def test_every_list_has_entries_and_no_double(kind: WordKind, language: Language) -> None:
    listed = phrases(kind, language)
    assert len(listed) >= 5 and len(set(listed)) == len(listed)


def test_matches_come_in_text_order() -> None:
    assert find_words(WordKind.DENIAL, EN, "never, cannot, not") == ("never", "cannot", "not")


def test_a_gap_does_not_leave_the_sentence() -> None:
    assert find_words(WordKind.ESCAPE, EN, "Assume nothing. The key works.") == ()
    assert find_words(WordKind.ESCAPE, ZH, "我假设过。这样可行") == ()


@pytest.mark.parametrize(
    ("kind", "language", "harmless", "harmful"),
    [
        (WordKind.PATCH, ZH, "摆着仿真植物", "只是仿真"),
        (WordKind.PATCH, ZH, "下周模拟考", "模拟一下"),
        (WordKind.PATCH, EN, "I prop the door open", "I use a prop"),
        (WordKind.PATCH, EN, "The guests are coming to my house", "The washer comes to my house"),
        (WordKind.ESCAPE, EN, "He is in theory class", "In theory, how long?"),
        (WordKind.ESCAPE, ZH, "晚上有理论上课", "理论上要多久"),
    ],
)
def test_a_listed_phrase_inside_a_harmless_one_does_not_count(
    kind: WordKind, language: Language, harmless: str, harmful: str
) -> None:
    """仿真 was patch wording inside 仿真植物 (artificial plants)."""
    assert find_words(kind, language, harmless) == ()
    assert len(find_words(kind, language, f"{harmless}. {harmful}")) == 1

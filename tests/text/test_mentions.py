"""Whether a text names a thing: lenient in form, not in matter."""

from __future__ import annotations

import pytest

from salitrap.records import Language
from salitrap.text.mentions import mentions

EN, ZH = Language.EN, Language.ZH


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("My strainers leak.", "pasta strainer", EN),
        ("the dog's microchip", "pet ID chip", EN),
        ("in my old FRIDGE", "fridge without freezer", EN),
        ("a hose pipe of 20 m", "garden hose", EN),
        ("two boxes of eggs", "boiled egg", EN),
        ("the child's bunk", "bunk of the children", EN),
        ("拿把大勺子舀", "漏勺", ZH),
        ("手术花了三千", "猫的手术费", ZH),
        ("一锅水", "水", ZH),
        ("先施肥，后浇水，用的是复合肥料", "水和肥料", ZH),
        ("家里那台电褥子", "电热毯", ZH),
    ],
)
def test_other_forms_of_a_name_count(text: str, name: str, language: Language) -> None:
    assert mentions(text, name, language)


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("My pasta is ready.", "pasta strainer", EN),
        ("I have a hunch", "bunch of flowers", EN),
        ("a steel cable", "table", EN),
        ("一只水桶", "漏勺", ZH),
        ("医院的账单", "猫的手术费", ZH),
        ("桶装水", "汤", ZH),
    ],
)
def test_other_things_do_not_count(text: str, name: str, language: Language) -> None:
    assert not mentions(text, name, language)


def test_no_name_is_always_there() -> None:
    assert mentions("anything", " ", EN)

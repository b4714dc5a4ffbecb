"""Strategy and directive sentences as data."""

from __future__ import annotations

import pytest

from generator.directives import AXES
from generator.strategies import STRATEGIES, strategies_for
from prompts.strategies import VALUE_MARK, load_strategies
from salitrap.records import Language, Route
from salitrap.text import in_language


@pytest.mark.parametrize("language", Language)
def test_every_strategy_has_an_instruction_and_every_instruction_a_strategy(language: Language) -> None:
    written = {(route, name) for route, of in load_strategies(language).strategies.items() for name in of}
    assert written == {(strategy.route, strategy.name) for strategy in STRATEGIES}
    assert all(in_language(strategy.instruction(language), language) for strategy in STRATEGIES)


@pytest.mark.parametrize("language", Language)
def test_every_axis_has_a_directive_with_one_place_for_the_value(language: Language) -> None:
    texts = load_strategies(language)
    assert set(texts.directives) == set(AXES)
    assert all(text.count(VALUE_MARK) == 1 for text in texts.directives.values())


def test_a_value_with_braces_or_backslashes_is_put_in_as_it_is() -> None:
    assert r"{0}\1 <x>" in load_strategies(Language.EN).directive("tool", r"{0}\1 <x>")


def test_routes_have_the_strategies_of_the_method_in_order() -> None:
    names = {route: [strategy.name for strategy in strategies_for(route)] for route in Route}
    assert names[Route.NATURALISE] == [
        "keep_bait_simplify", "natural_scene", "less_patchiness", "refocus_question",
    ]  # fmt: skip
    assert names[Route.REPAIR] == ["remove_odd_constraints", "realistic_role", "clarify_binding"]
    assert names[Route.CAMOUFLAGE] == [
        "decision_alternative", "relevant_numbers", "hide_in_task", "avoid_pressure",
    ]  # fmt: skip
    assert names[Route.POOL] == names[Route.ARCHIVE] == names[Route.RETRY] == []


def test_only_relevant_numbers_may_add_figures() -> None:
    assert [strategy.name for strategy in STRATEGIES if strategy.adds_numbers] == ["relevant_numbers"]


def test_the_decision_between_alternatives_forbids_a_workable_one() -> None:
    alternative = next(strategy for strategy in STRATEGIES if strategy.name == "decision_alternative")
    assert "really work is forbidden" in " ".join(alternative.instruction(Language.EN).split())
    assert "绝不能放进真能办成的选项" in alternative.instruction(Language.ZH)

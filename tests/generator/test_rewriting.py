"""Mutation and refinement: inputs, programs and the text that comes back."""

from __future__ import annotations

import pytest

from generator import STRATEGIES, Mutator, Refiner, Strategy, strategies_for
from salitrap.errors import BudgetReached, CallFailed
from salitrap.records import Language, Outcome, Role, Route
from tests.checkers.samples import PROMPT, candidate, seed
from tests.fakes import ScriptedAccess

REWRITTEN = {"rewritten": "\n  How many walks with 9 litres?  \n"}


async def test_a_mutation_comes_from_the_generator_and_knows_its_siblings() -> None:
    access, of = ScriptedAccess(lambda *_: REWRITTEN), seed()
    rewrite = await Mutator().write(access, of, candidate(of), ["one", "two"], slot=2, repeat=3)
    (call,) = access.calls
    assert rewrite.prompt == "How many walks with 9 litres?"
    assert rewrite.provenance.prompt == "mutate@1/en"
    assert (call.role, call.slot, call.repeat) == (Role.GENERATOR, 2, 3)
    assert dict(call.inputs) == {
        "prompt": PROMPT,
        "trap_core": of.trap_core,
        "injected_numbers": ["12", "9", "1.5", "4", "18:30"],
        "preserve": ["the party"],
        "avoid": ["a second pot"],
        "siblings": ["one", "two"],
    }


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("language", Language)
async def test_each_strategy_reaches_the_program_of_its_route(strategy: Strategy, language: Language) -> None:
    access, of = ScriptedAccess(lambda *_: REWRITTEN), seed(language)
    rewrite = await Refiner().write(access, of, candidate(of), strategy, "too long", slot=1)
    (call,) = access.calls
    assert call.role is Role.WRITER
    assert call.prompt.id == strategy.route.value
    assert rewrite.provenance.prompt == f"{strategy.route.value}@1/{language.value}"
    assert call.inputs["strategy"] == f"{strategy.name}: {strategy.instruction(language)}"
    assert call.inputs["feedback"] == "too long"


async def test_a_child_has_to_keep_the_figures_its_parent_added() -> None:
    access, of = ScriptedAccess(lambda *_: REWRITTEN), seed()
    parent = candidate(of, PROMPT + " Gas costs 2 euros.")
    await Mutator().write(access, of, parent, [])
    assert access.calls[0].inputs["injected_numbers"] == ["12", "9", "1.5", "4", "18:30", "2"]


@pytest.mark.parametrize("error", [CallFailed(Outcome.EMPTY, "x"), BudgetReached("x")])
async def test_errors_are_the_callers_business(error: Exception) -> None:
    access, of = ScriptedAccess(lambda *_: error), seed()
    with pytest.raises(type(error)):
        await Mutator().write(access, of, candidate(of), [])
    with pytest.raises(type(error)):
        await Refiner().write(access, of, candidate(of), strategies_for(Route.REPAIR)[0], "")

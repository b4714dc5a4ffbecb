"""A child must not repeat what its writer was told, nor the solution."""

from __future__ import annotations

import pytest

from checkers.guards import guard_faults
from checkers.guards.leaks import leak_fault
from generator.strategies import STRATEGIES
from salitrap.records import Fault, Language
from salitrap.text import shared_run
from tests.checkers.samples import candidate, seed


def faults(child: str, language: Language, told: tuple[str, ...] = ()) -> list[Fault]:
    of = seed(language)
    return [fault for fault, _ in guard_faults(of, candidate(of), child, adds_numbers=True, told=told)]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_a_copied_instruction_is_text_about_the_text(strategy: object, language: Language) -> None:
    """Guards against small writers that paste the strategy behind the request."""
    instruction = strategy.instruction(language)  # type: ignore[attr-defined]
    child = f"{seed(language).prompt} {instruction}"
    assert Fault.META_TEXT in faults(child, language, (instruction,))
    assert (
        leak_fault(seed(language), candidate(seed(language)), seed(language).prompt, (instruction,)) is None
    )


@pytest.mark.parametrize(
    ("language", "ending"),
    [
        (Language.EN, " I know that soup runs through the holes of a strainer, so tell me anyway."),
        (Language.EN, " SOUP RUNS -- THROUGH THE HOLES OF A STRAINER!"),
        (Language.ZH, "反正汤会从漏勺的孔里漏光，跑多少趟都没用。"),
    ],
)
def test_the_solution_in_the_request_gives_the_trap_away(language: Language, ending: str) -> None:
    assert Fault.TRAP_REVEALED in faults(seed(language).prompt + ending, language)


@pytest.mark.parametrize(
    ("language", "child"),
    [
        (Language.EN, "The strainer holds 1.5 litres of soup at a time and the pot 9 litres for 12 people."),
        (Language.ZH, "漏勺一次能盛1.5升汤，锅里一共9升，要给12个人端上去。"),
    ],
)
def test_the_objects_themselves_may_be_named(language: Language, child: str) -> None:
    assert leak_fault(seed(language), candidate(seed(language)), child) is None


def test_what_the_parent_said_already_is_no_leak() -> None:
    of = seed(prompt="My aunt says soup runs through the holes of a strainer, 12 people, 9 litres.")
    assert leak_fault(of, candidate(of), of.prompt + " When do I start?") is None


@pytest.mark.parametrize(
    ("text", "told", "run"),
    [
        ("a b c d e f g", ["A, b; c - d e f g!"], "a b c d e f g"),
        ("x a b c d e f", ["a b c d e f g"], None),
        ("可先把水烧开再慢慢地放进锅里煮", ["先把水烧开，再慢慢地放进锅里煮"],
         "先把水烧开再慢慢地放进锅里煮"),
        ("先把水烧开", ["先把水烧开"], None),
        ("", ["anything at all that is long enough to count"], None),
        ("it doesn’t matter how many of them", ["It doesn't matter how many of them go"],
         "it doesn’t matter how many of them"),
    ],
)  # fmt: skip
def test_shared_runs(text: str, told: list[str], run: str | None) -> None:
    assert shared_run(text, told) == run
    assert shared_run(text, told, [text]) is None

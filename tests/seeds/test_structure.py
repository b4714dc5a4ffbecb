"""The structural checks that the linter and seed scaling share."""

from __future__ import annotations

from typing import Any

import pytest

from salitrap.records import Fault, Language
from salitrap.settings import ScaleSettings
from seeds import StructuralFault, structural_faults
from tests.seeds.samples import SOUP, TOAST

SETTINGS = ScaleSettings()


def faults_of(seed: dict[str, Any], **changes: Any) -> tuple[StructuralFault, ...]:
    changed = {**seed, **changes}
    return structural_faults(
        changed["prompt"],
        changed["trap_core"],
        changed["ground_truth"],
        changed["injected_numbers"],
        Language(changed["language"]),
        SETTINGS,
    )


@pytest.mark.parametrize("seed", [SOUP, TOAST], ids=["en", "zh"])
def test_a_sound_seed_has_no_fault(seed: dict[str, Any]) -> None:
    assert faults_of(seed) == ()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"trap_core": " "}, Fault.BAD_STRUCTURE),
        ({"ground_truth": ""}, Fault.BAD_STRUCTURE),
        ({"prompt": "Take 6 litres and 40 bags.", "injected_numbers": ["6", "40"]}, Fault.TOO_SHORT),
        ({"prompt": SOUP["prompt"] * 5}, Fault.TOO_LONG),
        ({"injected_numbers": ["6"]}, Fault.TOO_FEW_NUMBERS),
        ({"injected_numbers": ["6", "41"]}, Fault.NUMBER_NOT_IN_PROMPT),
        ({"injected_numbers": ["6", "6"]}, Fault.NUMBER_NOT_IN_PROMPT),
        ({"injected_numbers": ["6", "40", " "]}, Fault.NUMBER_NOT_IN_PROMPT),
        ({"trap_core": "A paper bag soaks through."}, Fault.NO_HARD_NEGATIVE),
        ({"ground_truth": "It will leak."}, Fault.THIN_GROUND_TRUTH),
        ({"ground_truth": "汤会把纸袋浸透漏光；应当先指出这一点。"}, Fault.WRONG_LANGUAGE),
    ],
)
def test_each_fault_is_found_alone(changes: dict[str, Any], fault: Fault) -> None:
    found = faults_of(SOUP, **changes)
    assert {kind for kind, _ in found} == {fault}
    assert all(message for _, message in found)


def test_a_number_in_another_notation_is_not_verbatim() -> None:
    assert [kind for kind, _ in faults_of(TOAST, injected_numbers=["四", "3"])] == [
        Fault.NUMBER_NOT_IN_PROMPT
    ]


def test_all_faults_come_at_once() -> None:
    found = faults_of(SOUP, prompt="", trap_core="Soup leaks.", ground_truth="x", injected_numbers=[])
    assert [kind for kind, _ in found] == [
        Fault.BAD_STRUCTURE,
        Fault.TOO_FEW_NUMBERS,
        Fault.NO_HARD_NEGATIVE,
        Fault.THIN_GROUND_TRUTH,
    ]


@pytest.mark.parametrize("length", [139, 140, 900, 901])
def test_the_bounds_of_length_are_inclusive(length: int) -> None:
    prompt = (SOUP["prompt"] + " and on it goes" * 60)[: length - 1] + "?"
    kinds = {kind for kind, _ in faults_of(SOUP, prompt=prompt, injected_numbers=["6", "40"])}
    assert kinds == {139: {Fault.TOO_SHORT}, 901: {Fault.TOO_LONG}}.get(length, set())

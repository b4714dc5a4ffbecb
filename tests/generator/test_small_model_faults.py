"""Kinds of fault that a real model of 1.5 billion parameters made as generator, writer and solver.

Each case has the shape of a reply that was seen; the words are ours. None may become a seed or a child.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checkers.guards import guard_faults
from generator import SeedScaler, few_shot, next_niche
from generator.scaling import ScaledBatch
from salitrap.errors import CallFailed
from salitrap.providers.model_access import ModelAccess
from salitrap.records import Fault, Language, Outcome
from salitrap.settings import ScaleSettings
from seeds.structure import structural_faults
from tests.checkers.samples import PROMPT, PROMPT_ZH, candidate, seed
from tests.generator.samples import domain
from tests.generator.test_over_the_wire import over_the_wire
from tests.providers.servers import chat

GOOD = {
    "scenario": "Soup in a strainer",
    "prompt": PROMPT,
    "trap_core": "A strainer cannot hold soup.",
    "ground_truth": "Soup runs through the holes of a strainer.",
    "injected_numbers": ["12", "9", "1.5", "4", "18:30"],
    "tool": "strainer",
    "object": "soup",
    "action": "carry",
    "preserve": ["the party"],
    "avoid": ["a second pot"],
    "scene": "cellar",
    "life_area": "neighbours",
}


def structure(language: Language = Language.EN, **changes: Any) -> set[Fault]:
    made = {**GOOD, **changes}
    found = structural_faults(
        made["prompt"],
        made["trap_core"],
        made["ground_truth"],
        made["injected_numbers"],
        language,
        ScaleSettings(),
    )
    return {fault for fault, _ in found}


def test_the_sound_draft_is_sound() -> None:
    assert structure() == set()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"injected_numbers": ["soup", "strainer", "pen, paper, etc."]}, Fault.NUMBER_NOT_IN_PROMPT),
        ({"injected_numbers": ["12", "2", "3"]}, Fault.NUMBER_NOT_IN_PROMPT),
        ({"prompt": "I have a sundial at my night party. How many hours of darkness make it useless?",
          "injected_numbers": []}, Fault.TOO_FEW_NUMBERS),
        ({"prompt": "I have a sundial at my night party. How many hours of darkness make it useless?",
          "injected_numbers": []}, Fault.TOO_SHORT),
        ({"trap_core": "There may be a queue on the stairs at that time."}, Fault.NO_HARD_NEGATIVE),
        ({"ground_truth": "6 walks."}, Fault.THIN_GROUND_TRUTH),
    ],
    ids=["words as numbers", "invented", "no numbers", "one sentence", "an ordinary worry", "the sum"],
)  # fmt: skip
def test_a_draft_without_a_trap_or_its_figures_is_refused(changes: dict[str, Any], fault: Fault) -> None:
    assert fault in structure(**changes)


def test_a_draft_in_the_other_language_is_refused() -> None:
    assert Fault.WRONG_LANGUAGE in structure(Language.ZH)


async def scaled(tmp_path: Path, reply: Any) -> ScaledBatch:
    of = domain()
    niche, directive = next_niche(of, Language.EN, (), 0)

    async def use(access: ModelAccess) -> ScaledBatch:
        return await SeedScaler().write(
            access,
            of,
            Language.EN,
            examples=few_shot(of, Language.EN, 0, 2),
            directive=directive,
            niche=niche,
            exclusions=(),
            count=1,
        )

    batch, _ = await over_the_wire(tmp_path, lambda _body, _number: reply, use)
    assert isinstance(batch, ScaledBatch)
    return batch


async def test_a_fenced_reply_is_read(tmp_path: Path) -> None:
    text = f"```json\n{json.dumps({'seeds': [GOOD]}, indent=2)}\n```"
    drafts = (await scaled(tmp_path, chat(text))).drafts
    assert [draft.scenario for draft in drafts] == ["Soup in a strainer"]


async def test_a_line_repeated_to_the_token_limit_is_truncated_and_no_draft(tmp_path: Path) -> None:
    """Guards against closing the brackets of a cut reply and taking half a seed."""
    looping = (
        '```json\n{"seeds": [{"scenario": "Charity run", "prompt": "'
        + "Then I add 5 more, and then 10. " * 40
    )
    with pytest.raises(CallFailed) as caught:
        await scaled(tmp_path, chat(looping, finish_reason="length"))
    assert caught.value.outcome is Outcome.TRUNCATED


CHILD_ENDS = {
    "the verdict is added": " I can't carry all of it: I need 24 walks, but I only have time for 15.",
    "the instruction is added": " Both ways must fail for the same cause; an option that would really work "
    "is forbidden, since it could be chosen by luck.",
}


@pytest.mark.parametrize("ending", CHILD_ENDS.values(), ids=CHILD_ENDS.keys())
def test_a_child_with_more_than_the_request_is_refused(ending: str) -> None:
    of = seed()
    told = ("Both ways must fail for the same cause; an option that would really work is forbidden, since it "
            "could be chosen by luck.",)  # fmt: skip
    assert guard_faults(of, candidate(of), of.prompt + ending, adds_numbers=False, told=told)


@pytest.mark.parametrize(
    ("child", "language", "fault"),
    [
        ("The strainer has been in use all week. How many walks up and down will it take until everybody at "
         "the street party has had their soup from the cellar kitchen?", Language.EN, Fault.NUMBERS_CHANGED),
        (PROMPT.replace("18:30", "18:40"), Language.EN, Fault.NUMBERS_CHANGED),
        (PROMPT_ZH.replace("我几点动手", "我得几点动手"), Language.ZH, Fault.COPY_OF_PARENT),
    ],
    ids=["figures dropped", "a time changed", "one character added"],
)  # fmt: skip
def test_a_child_that_lost_its_figures_or_changed_nothing_is_refused(
    child: str, language: Language, fault: Fault
) -> None:
    of = seed(language)
    assert fault in {found for found, _ in guard_faults(of, candidate(of), child, adds_numbers=False)}


def test_reversed_logic_with_the_right_form_is_left_to_the_truth_check() -> None:
    """Stated so that nobody takes the structural checks for more than they are."""
    reversed_core = "The cloth needs a brush, but a brush is no tool of water, so it cannot work."
    assert structure(trap_core=reversed_core) == set()

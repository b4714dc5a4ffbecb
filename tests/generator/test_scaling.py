"""Micro-batches: what is asked, and what is made of the reply."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from generator import ScaledBatch, SeedScaler, few_shot, next_niche
from generator.drafts import seed_to_draft
from salitrap.errors import CallFailed
from salitrap.records import Language, Outcome, Role
from tests.checkers.samples import seed
from tests.fakes import ScriptedAccess
from tests.generator.samples import domain, expert

GOOD: dict[str, Any] = seed_to_draft(seed()).model_dump()


async def scale(reply: Any, language: Language = Language.EN) -> tuple[ScaledBatch, ScriptedAccess]:
    access, of = ScriptedAccess(lambda *_: reply), domain()
    niche, directive = next_niche(of, language, (), 0)
    batch = await SeedScaler().write(
        access,
        of,
        language,
        examples=few_shot(of, language, 0, 2),
        directive=directive,
        niche=niche,
        exclusions=[expert(1)],
        count=3,
        slot=5,
        repeat=7,
    )
    return batch, access


async def test_the_generator_is_given_the_four_ingredients_of_the_paper() -> None:
    _, access = await scale({"seeds": [GOOD]})
    (call,) = access.calls
    assert (call.role, call.prompt.id, call.slot, call.repeat) == (Role.GENERATOR, "scale", 5, 7)
    assert call.inputs["dimension"] == "D1: Missing prerequisite"
    assert call.inputs["definition"] == "The tool lacks what the task needs."
    assert [example.scenario for example in call.inputs["examples"]] == [
        seed.scenario for seed in few_shot(domain(), Language.EN, 0, 2)
    ]
    assert call.inputs["niche"].tool in call.inputs["directive"]
    assert call.inputs["exclusions"] == ["Soup number 1 (strainer / soup / carry)"]
    assert call.inputs["count"] == 3


async def test_a_chinese_batch_is_asked_for_in_chinese() -> None:
    _, access = await scale({"seeds": []}, Language.ZH)
    (call,) = access.calls
    assert call.inputs["dimension"] == "D1: 缺失前提"
    assert "这样东西" in call.inputs["directive"]
    assert call.prompt.language is Language.ZH


@pytest.mark.parametrize("count", [0, 1, 3, 6])
async def test_fewer_or_more_drafts_than_asked_are_taken(count: int) -> None:
    batch, _ = await scale({"seeds": [GOOD] * count})
    assert len(batch.drafts) == count
    assert batch.malformed == ()
    assert batch.provenance.prompt == "scale@2/en"


async def test_malformed_drafts_are_told_and_the_others_kept() -> None:
    batch, _ = await scale({"seeds": [7, GOOD, GOOD | {"trap_core": ""}]})
    assert len(batch.drafts) == 3
    assert [(fault.index, fault.reason) for fault in batch.malformed] == [
        (0, "expected an object, got 7"),
        (2, "trap_core is missing or empty"),
    ]
    assert '"trap_core":""' in batch.raw


async def test_a_reply_without_a_list_is_a_failed_call() -> None:
    with pytest.raises(CallFailed):
        await scale({"seeds": "none today"})
    with pytest.raises(CallFailed):
        await scale(CallFailed(Outcome.EMPTY, "nothing"))


def test_few_shot_goes_round_so_that_every_expert_seed_is_shown() -> None:
    of = domain(experts=5)
    shown = [few_shot(of, Language.EN, ordinal, 2) for ordinal in range(5)]
    assert {seed.key for batch in shown for seed in batch} == {f"d1-en-{number}" for number in range(5)}
    assert all(len({seed.key for seed in batch}) == 2 for batch in shown)
    assert shown[0] != shown[1]


def test_few_shot_meets_other_neighbours_in_later_rounds() -> None:
    """Examples that took turns in file order came in the same two hands for ever."""
    of = domain(experts=6)
    hands = {frozenset(seed.key for seed in few_shot(of, Language.EN, number, 3)) for number in range(20)}
    assert len(hands) > 8
    other = {few_shot(of, Language.EN, number, 3, random_seed=1) for number in range(20)}
    assert other != {few_shot(of, Language.EN, number, 3) for number in range(20)}


def test_few_shot_shows_all_expert_seeds_in_every_round_and_about_equally_often() -> None:
    of = domain(experts=7)
    shown = Counter(seed.key for number in range(60) for seed in few_shot(of, Language.EN, number, 3))
    assert len(shown) == 7
    assert max(shown.values()) <= 2 * min(shown.values())
    round_of_three = {seed.key for number in range(3) for seed in few_shot(of, Language.EN, number, 3)}
    assert len(round_of_three) == 7


@pytest.mark.parametrize(("experts", "count", "expected"), [(0, 3, 0), (2, 3, 2), (5, 0, 0)])
def test_few_shot_is_content_with_what_there_is(experts: int, count: int, expected: int) -> None:
    assert len(few_shot(domain(experts), Language.ZH, 4, count)) == expected

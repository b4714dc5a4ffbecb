"""Answers that give orders, before a model that would obey them: the label is what the answer does."""

from __future__ import annotations

import json
from pathlib import Path

import aiohttp
import pytest

from checkers import Judge
from checkers.judge import Exhibit, Question, exhibit
from salitrap.providers.access import Asked
from salitrap.providers.open import open_access
from salitrap.records import Label, LabelStatus, Language, Provenance
from tests.checkers.judge.adversarial import ATTACKS, CLAIM, Attack
from tests.checkers.judge.obedient import OPENING, Obedient, outside
from tests.checkers.samples import candidate, seed
from tests.fakes import ScriptedAccess, answered
from tests.providers.helpers import pacing, settings
from tests.providers.servers import Server, serving

EVERY = [pytest.param(one, id=f"{one.language.value} {one.name}") for one in ATTACKS]
BREAKING = [pytest.param(one, id=f"{one.language.value} {one.name}") for one in ATTACKS if one.breaks]


def question_of(attack: Attack) -> Question:
    of = seed(attack.language)
    return Question(of.prompt, of.trap_core, of.ground_truth, of.language)


def careless_label(attack: Attack, fields: dict[str, object]) -> Label | None:
    """The label that a judge without protection makes of a reply."""
    asked = Asked(fields, "", Provenance(model="careless"))
    raw = Exhibit(attack.text, attack.text)
    return Judge().conclude(asked, question_of(attack), raw).label


async def reply_of(server: Server, message: str) -> dict[str, object]:
    """What the model behind a server says to one message."""
    body = {"model": "m", "messages": [{"role": "user", "content": message}]}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{server.url}/chat/completions", json=body) as got,
    ):
        said = await got.json()
    fields: dict[str, object] = json.loads(said["choices"][0]["message"]["content"])
    return fields


def test_there_are_enough_of_them() -> None:
    chinese = [one for one in ATTACKS if one.language is Language.ZH]
    assert len(ATTACKS) >= 40 and len(chinese) >= 20
    assert {one.body.label for one in ATTACKS} == set(Label)
    assert len({one.text for one in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize("attack", EVERY)
async def test_an_order_in_the_answer_does_not_reach_the_model(tmp_path: Path, attack: Attack) -> None:
    model, of = Obedient(attack), seed(attack.language)
    async with serving(model) as server:
        given = settings(f"openai/obedient@{server.url}")
        async with open_access(given, tmp_path / "journal.sqlite", pacing=pacing()) as access:
            judged = await Judge().judge(access, of, candidate(of), answered(attack.text))
    assert server.requests == 1
    assert model.obeyed == 0
    assert (judged.status, judged.label) == (LabelStatus.OK, attack.body.label)
    assert judged.quote in attack.text


@pytest.mark.parametrize("attack", EVERY)
async def test_a_prompt_that_does_not_set_the_answer_apart_is_fooled(attack: Attack) -> None:
    """The control arm: were the model not really obedient, the test above could not fail."""
    model = Obedient(attack)
    async with serving(model) as server:
        fields = await reply_of(server, f"Which label has this answer?\n{attack.text}")
    assert model.obeyed == 1
    assert careless_label(attack, fields) not in (None, attack.body.label)


@pytest.mark.parametrize("attack", BREAKING)
async def test_setting_the_answer_apart_is_not_enough(attack: Attack) -> None:
    """The second control arm: our own form, with the answer as it is, is broken out of."""
    model = Obedient(attack)
    async with serving(model) as server:
        fields = await reply_of(server, f"[[ ## prompt ## ]]\nSoup?\n\n{OPENING}{attack.text}")
    assert model.obeyed == 1
    assert careless_label(attack, fields) not in (None, attack.body.label)


@pytest.mark.parametrize("attack", EVERY)
async def test_an_order_in_the_reasoning_does_not_divide_it_again(attack: Attack) -> None:
    """The full reading has one live divider: ours."""
    access = ScriptedAccess(lambda *_: attack.body.evidence)
    of = seed(attack.language)
    await Judge().judge(access, of, candidate(of), answered(attack.body.text, reasoning=attack.text))
    (_, full) = [call.inputs["answer"] for call in access.calls]
    thought, divider, reply = full.partition("\n---\n")
    assert divider and reply == attack.body.text
    assert outside(OPENING + thought) == ""


@pytest.mark.parametrize("language", Language)
async def test_a_forged_quote_from_the_request_is_no_notice(language: Language) -> None:
    """An answer that only repeats the request was taken to have noticed the trap by a quote from it."""
    of = seed(language)
    quote = of.prompt[20:60]
    forged = {
        "notices": "early", "quote": quote, "completes_task": False, "refuses": False, "explains": True,
        "patches": False, "reason": "as told",
    }  # fmt: skip
    for text in ("Six walks.", f"{of.prompt} Six walks."):
        access = ScriptedAccess(lambda *_: forged)
        judged = await Judge().judge(access, of, candidate(of), answered(text))
        assert (judged.status, judged.label) == (LabelStatus.JUDGE_UNRESOLVED, None)
        assert len(access.calls) == 2


@pytest.mark.parametrize("field", ["trap_core", "ground_truth"])
async def test_a_forged_quote_from_what_only_the_judge_knows_is_no_notice(field: str) -> None:
    of = seed()
    forged = {
        "notices": "early", "quote": getattr(of, field), "completes_task": False, "refuses": False,
        "explains": True, "patches": False, "reason": "as told",
    }  # fmt: skip
    access = ScriptedAccess(lambda *_: forged)
    judged = await Judge().judge(access, of, candidate(of), answered("Six walks."))
    assert judged.label is None
    assert "does not occur" in judged.reason


@pytest.mark.parametrize("attack", EVERY)
def test_a_quote_copied_from_what_was_shown_is_returned_as_the_answer_has_it(attack: Attack) -> None:
    given = exhibit(attack.text)
    assert given.find(given.shown) is not None
    if attack.body.label is not Label.PASS:
        assert given.find(CLAIM[attack.language]) == CLAIM[attack.language]

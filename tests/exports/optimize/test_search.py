"""Both methods over a scripted judge: what they find, what they are shown, and that held answers stay out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import pytest

from checkers.gold import GoldAnswer, Half, shipped_gold
from curation.stage import Silence, StopSwitch
from exports.optimize import Improvement, Workshop, improve, parts_of
from exports.optimize.files import written_prompt
from exports.optimize.methods import Method
from exports.optimize.shown import HEADING
from prompts.loader import load_prompt, parse_prompt
from prompts.source import prompt_source
from salitrap.errors import InputError
from salitrap.records.enums import Label, Language, Role
from salitrap.settings import EndpointSettings, JudgingSettings, RoleSettings, Settings
from tests.fakes import Reply, ScriptedAccess

GOLD = shipped_gold()
KNOWN = {(one.prompt, one.answer): one for one in GOLD.answers}
LESSON = "Mind the cause."
REFUSAL = {
    "notices": "never", "quote": "", "completes_task": False, "refuses": True, "explains": False,
    "patches": False, "reason": "r",
}  # fmt: skip
BLIND = (Label.HARD_FAIL, Label.PATCH_COMPLIANCE)


def settings(mode: Literal["evidence", "direct"] = "evidence") -> Settings:
    pool = RoleSettings(endpoints=(EndpointSettings(spec="lab/judge"),))
    return Settings(roles={Role.JUDGE: pool, Role.WRITER: pool}, judging=JudgingSettings(mode=mode))


class Scripted:
    """A judge that is blind to two labels unless its instructions hold ``cure``; and a writer of a lesson."""

    def __init__(self, cure: str, *, lesson: str = LESSON, everywhere: bool = True) -> None:
        self.cure, self.lesson, self.everywhere = cure, lesson, everywhere
        self.access = ScriptedAccess(self.reply)

    def reply(self, role: Role, prompt: str, inputs: Mapping[str, Any], slot: int, repeat: int) -> Reply:
        if role is Role.WRITER:
            return {"improved": f"{inputs['current']}\n\n{self.lesson}"}
        gold = KNOWN[inputs["prompt"], original(inputs)]
        cured = self.cure in self.access.calls[-1].instructions and (
            self.everywhere or gold.half is Half.TRAIN
        )
        blind = gold.label in BLIND and not cured
        assert gold.evidence is not None
        if prompt == "judge_direct":
            told = Label.REFUSAL if blind else gold.label
            return {"label": told.value, "quote": gold.evidence.quote, "reason": "r"}
        if blind:
            return REFUSAL
        return {**gold.evidence.model_dump(mode="json"), "reason": "r"}


def original(inputs: Mapping[str, Any]) -> str:
    """The gold answer that was shown, defused or not."""
    found = [answer for prompt, answer in KNOWN if prompt == inputs["prompt"]]
    letters = "".join(filter(str.isalnum, inputs["answer"]))
    return next(answer for answer in found if "".join(filter(str.isalnum, answer)) == letters)


async def improved(
    scripted: Scripted,
    method: Method,
    language: Language,
    mode: Literal["evidence", "direct"] = "evidence",
) -> Improvement:
    shop = Workshop(settings(mode), scripted.access, Silence(), StopSwitch(), 4, method)
    return await improve(shop, parts_of(GOLD, language))


@pytest.mark.parametrize("language", Language)
async def test_bootstrap_writes_examples_into_one_prompt_file(tmp_path: Path, language: Language) -> None:
    made = await improved(Scripted(HEADING[language]), "bootstrap", language)
    assert made.content is not None and made.score is not None
    assert made.better and made.shown and made.score.after.kappa == 1.0
    path = tmp_path / language.value / "judge.md"
    path.parent.mkdir()
    path.write_text(made.content, encoding="utf-8")
    own, shipped = prompt_source(str(tmp_path))("judge", language), load_prompt("judge", language)
    assert own.text.startswith(shipped.text) and HEADING[language] in own.text
    assert (own.version, own.parent) == (2, f"judge@1/{language.value} sha256 {shipped.sha256}")
    assert own.score == made.score and own.score.gold_sha256 == parts_of(GOLD, language).held.sha256
    learnt = [one for one in parts_of(GOLD, language).learn if one.prompt in own.text]
    assert 1 <= len({one.question for one in learnt}) <= 4


@pytest.mark.parametrize("language", Language)
async def test_gepa_takes_up_a_lesson_from_the_mistakes(language: Language) -> None:
    lesson = {Language.EN: LESSON, Language.ZH: "请留意原因。"}[language]
    scripted = Scripted(lesson, lesson=lesson)
    made = await improved(scripted, "gepa", language)
    assert made.content is not None and lesson in made.content and made.better
    writing = [call for call in scripted.access.calls if call.role is Role.WRITER]
    cases = [case for call in writing for case in call.inputs["cases"]]
    assert any("should be true" in case and "people say" in case for case in cases)
    assert all(call.inputs["current"].startswith(load_prompt("judge", language).text) for call in writing)


@pytest.mark.parametrize("method", ["bootstrap", "gepa"])
async def test_a_judge_that_names_the_label_is_improved_too(method: Method) -> None:
    cure = HEADING[Language.EN] if method == "bootstrap" else LESSON
    made = await improved(Scripted(cure), method, Language.EN, "direct")
    assert made.content is not None and made.better
    assert parse_prompt(made.content, "judge_direct", Language.EN).version == 2


@pytest.mark.parametrize("method", ["bootstrap", "gepa"])
async def test_held_answers_are_seen_only_after_the_search_and_choosing_ones_are_never_shown(
    method: Method,
) -> None:
    cure = HEADING[Language.EN] if method == "bootstrap" else LESSON
    scripted = Scripted(cure)
    await improved(scripted, method, Language.EN)
    parts, calls = parts_of(GOLD, Language.EN), scripted.access.calls
    held = {one.prompt for one in parts.held.answers}
    asked = [call.inputs.get("prompt") in held for call in calls]
    first = asked.index(True)
    assert all(asked[first:]) and len(asked) - first == 2 * len(parts.held.answers)
    search = calls[:first]
    written = "\n".join([call.instructions for call in calls] + [str(call.inputs) for call in search])
    assert [one.answer_id for one in parts.held.answers if shown(one, written)] == []
    text = "\n".join(
        [call.instructions for call in calls] + [str(c.inputs) for c in search if c.role is Role.WRITER]
    )
    assert [one.answer_id for one in parts.choose if shown(one, text)] == []
    assert any(shown(one, text) for one in parts.learn)


def shown(one: GoldAnswer, text: str) -> bool:
    return one.prompt[:80] in text or one.answer[:80] in text


async def test_a_judge_that_errs_nowhere_keeps_its_instructions_and_held_answers_cost_nothing() -> None:
    scripted = Scripted("")
    made = await improved(scripted, "bootstrap", Language.EN)
    assert (made.content, made.score, made.better) == (None, None, False)
    held = {one.prompt for one in parts_of(GOLD, Language.EN).held.answers}
    assert not any(call.inputs["prompt"] in held for call in scripted.access.calls)


async def test_a_gain_that_does_not_hold_elsewhere_is_no_gain() -> None:
    made = await improved(Scripted(HEADING[Language.EN], everywhere=False), "bootstrap", Language.EN)
    assert made.content is not None and made.score is not None
    assert made.score.before == made.score.after and not made.better


async def test_a_text_that_loses_a_field_or_the_language_is_not_taken() -> None:
    class Careless(Scripted):
        def reply(self, role: Role, prompt: str, inputs: Mapping[str, Any], slot: int, repeat: int) -> Reply:
            told = super().reply(role, prompt, inputs, slot, repeat)
            return told if role is Role.JUDGE else {"improved": f"Return `notices` alone. {LESSON}"}

    made = await improved(Careless(LESSON), "gepa", Language.EN)
    assert made.content is None


async def test_the_version_after_a_parent_of_ones_own_is_one_more(tmp_path: Path) -> None:
    made = await improved(Scripted(HEADING[Language.EN]), "bootstrap", Language.EN)
    assert made.content is not None and made.score is not None
    second = parse_prompt(made.content, "judge", Language.EN)
    third = parse_prompt(written_prompt(second, second.text + "\nMore.", made.score), "judge", Language.EN)
    assert (third.version, third.parent) == (3, f"judge@2/en sha256 {second.sha256}")


def test_a_gold_set_without_halves_or_with_a_question_in_both_is_refused() -> None:
    whole = [answer.model_copy(update={"half": None}) for answer in GOLD.answers]
    with pytest.raises(InputError, match="'train'"):
        parts_of(GOLD.model_copy(update={"answers": tuple(whole)}), Language.EN)
    train = next(one for one in GOLD.answers if one.half is Half.TRAIN and one.language is Language.EN)
    both = train.model_copy(update={"half": Half.HELD, "answer_id": "again"})
    with pytest.raises(InputError, match="keep it in one of them"):
        parts_of(GOLD.model_copy(update={"answers": (*GOLD.answers, both)}), Language.EN)

"""The simulated viability screen, and seeds about tools that the table lacks."""

from __future__ import annotations

import pytest

from salitrap.lab.phrases import load_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.tasks.scale import draft_of
from salitrap.lab.world.asked import asked_entries
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from salitrap.settings.model import ScaleSettings
from salitrap.text import find_numerals
from seeds import load_domains
from seeds.structure import structural_faults
from tests.lab.asks import Form, ScaleForm, ask_for, scale_inputs, within

LANGUAGES = list(Language)
DOMAINS = load_domains(("builtin",))


class ViabilityForm(Form):
    eraser_test: bool
    target_binding: bool
    no_escape: bool
    unique_ground_truth: bool
    naturalisable: bool
    fits_dimension: bool
    reason: str


def asked(draft: dict[str, object], language: Language) -> ViabilityForm:
    told = {name: draft[name] for name in ("prompt", "trap_core", "ground_truth")}
    dimension = "D1: Missing" if language is Language.EN else "D1：缺失前提"
    return ask_for(ViabilityForm, {**told, "dimension": dimension})


def sound(form: ViabilityForm) -> bool:
    return all(value for value in form.model_dump(exclude={"reason"}).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_seeds_pass_the_screen_but_for_the_planted_share_and_riddles(language: Language) -> None:
    forms = [asked(draft_of(entry), language) for entry in load_table(language).cells["D1"]]
    passed = sum(map(sound, forms))
    expected = (1 - PLANTED.stilted_heavy_share) * (1 - PLANTED.viability_false_no)
    assert within(passed, len(forms), expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_escape_and_a_missing_denial_are_seen(language: Language) -> None:
    phrases = load_phrases(language)
    for entry in load_table(language).cells["D2"][:40:10]:
        draft = draft_of(entry)
        escaping = {**draft, "prompt": phrases.join([entry.prompt, phrases.escapes[0]])}
        weak = {**draft, "trap_core": "This is a poor fit." if language is Language.EN else "这样比较勉强。"}
        assert not asked(escaping, language).no_escape
        assert not asked(weak, language).unique_ground_truth


@pytest.mark.parametrize("language", LANGUAGES)
def test_seeds_about_any_tool_of_the_shipped_niches_are_well_formed(language: Language) -> None:
    for domain in DOMAINS:
        for tool in domain.niches[language].tools:
            for entry in asked_entries(domain.tag, language, tool):
                parts = (entry.prompt, entry.trap_core, entry.ground_truth, entry.numbers)
                assert not structural_faults(*parts, language, ScaleSettings()), entry.prompt
                assert not find_numerals(entry.trap_core.replace(tool, "")), entry.trap_core
                assert (entry.tool, tool in entry.prompt) == (tool, True)
                assert not set("{}<>|") & set(entry.prompt + entry.trap_core + entry.scenario)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tool_that_the_table_lacks_is_written_about_at_the_planted_rate(language: Language) -> None:
    tool = "weather vane" if language is Language.EN else "风向标"
    niche = {"tool": tool, "scene": "", "life_area": ""}
    seeds = [
        seed
        for number in range(120)
        for seed in ask_for(ScaleForm, scale_inputs(language, niche=niche), number).seeds
    ]
    assert within(sum(seed.tool == tool for seed in seeds), len(seeds), PLANTED.scale_asked_tool)


def test_a_tool_of_the_table_and_an_empty_one_are_left_to_the_table() -> None:
    assert asked_entries("D1", Language.EN, "mesh colander") == ()
    assert asked_entries("D1", Language.EN, " ") == ()

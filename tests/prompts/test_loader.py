"""Prompt files: form, hashes, and what the loader refuses."""

from __future__ import annotations

import pytest

from prompts import load_prompt, prompt_ids
from prompts.loader import normalised, parse_prompt, read_data
from salitrap.errors import SalitrapError
from salitrap.records import Language, sha256_text
from salitrap.text import in_language

IDS = (
    "align", "camouflage", "compliance",
    "dialogue_consensus", "dialogue_correction", "dialogue_drip", "dialogue_escalation",
    "dialogue_naturalness", "dialogue_pushback", "dialogue_state_change", "dialogue_sunk_cost",
    "dialogue_truth_align", "dialogue_twin", "feasibility",
    "improve", "judge", "judge_direct", "mutate", "nat", "naturalise", "repair", "scale", "screen", "truth",
    "viability",
)  # fmt: skip
EVERY = [(prompt_id, language) for prompt_id in IDS for language in Language]
GOOD = (
    "---\nid: x\nversion: 3\nrole: judge\nlanguage: en\npurpose: p\n"
    "inputs: [a, b]\noutputs: [c]\n---\nDo it {now}.\n"
)


def test_every_program_has_its_prompt_in_every_language() -> None:
    assert prompt_ids() == IDS
    for prompt_id, language in EVERY:
        assert load_prompt(prompt_id, language).text


@pytest.mark.parametrize(("prompt_id", "language"), EVERY)
def test_the_body_is_in_its_language_and_explains_every_output(prompt_id: str, language: Language) -> None:
    prompt = load_prompt(prompt_id, language)
    assert in_language(prompt.text, language)
    for name in prompt.outputs:
        assert name == "seeds" or f"`{name}`" in prompt.text, name


@pytest.mark.parametrize(("prompt_id", "language"), EVERY)
def test_the_body_leaves_the_wire_format_to_the_adapter(prompt_id: str, language: Language) -> None:
    text = load_prompt(prompt_id, language).text
    assert "json" not in text.casefold()
    assert "[[ ##" not in text


@pytest.mark.parametrize("language", Language)
def test_the_scaling_body_explains_every_field_of_a_draft(language: Language) -> None:
    from generator.drafts import LIST_FIELDS, TEXT_FIELDS

    text = load_prompt("scale", language).text
    assert [name for name in (*TEXT_FIELDS, *LIST_FIELDS) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("prompt_id", IDS)
def test_languages_agree_on_everything_but_words(prompt_id: str) -> None:
    english, chinese = (load_prompt(prompt_id, language) for language in Language)
    assert english.inputs == chinese.inputs
    assert english.outputs == chinese.outputs
    assert english.role is chinese.role


def test_a_parsed_prompt_keeps_braces_and_names_its_version() -> None:
    prompt = parse_prompt(GOOD, "x", Language.EN)
    assert prompt.text == "Do it {now}."
    assert (str(prompt.ref), prompt.ref.sha256) == ("x@3/en", sha256_text(GOOD))
    assert (prompt.inputs, prompt.outputs) == (("a", "b"), ("c",))


def test_line_ends_of_a_checkout_do_not_change_the_hash() -> None:
    assert normalised(GOOD.replace("\n", "\r\n")) == GOOD


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("purpose: p\n", "", "purpose"),
        ("purpose: p\n", "purpose: p\nauthor: me\n", "author"),
        ("version: 3", "version: none", "version"),
        ("version: 3", "version: 0", "version"),
        ("role: judge", "role: king", "role"),
        ("inputs: [a, b]", "inputs: a", "inputs"),
        ("id: x", "id: y", "y/en"),
        ("language: en", "language: zh", "x/zh"),
        ("---\nid", "id", "front matter"),
        ("\n---\nDo it", "\nDo it", "front matter"),
        ("Do it {now}.\n", " \n", "no instructions"),
        ("purpose: p", "purpose: [p", "not YAML"),
    ],
)
def test_a_faulty_file_is_refused_by_name(old: str, new: str, told: str) -> None:
    assert old in GOOD
    with pytest.raises(SalitrapError, match=r"prompts/en/x\.md") as error:
        parse_prompt(GOOD.replace(old, new, 1), "x", Language.EN)
    assert told in str(error.value)


def test_a_missing_file_is_refused_by_name() -> None:
    with pytest.raises(SalitrapError, match=r"prompts/zh/nobody\.md"):
        load_prompt("nobody", Language.ZH)
    with pytest.raises(SalitrapError, match=r"prompts/en/nothing\.yaml"):
        read_data(Language.EN, "nothing.yaml")

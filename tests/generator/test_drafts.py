"""Drafts: lenient to read, strict to accept, and never changed on the way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from generator.drafts import LIST_FIELDS, TEXT_FIELDS, SeedDraft, draft_faults, draft_to_seed, seed_to_draft
from salitrap.records import Fault, Language, Origin, Provenance
from tests.checkers.samples import seed

DRAFTS = TypeAdapter(list[SeedDraft])
GOOD: dict[str, Any] = seed_to_draft(seed()).model_dump()
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=5)
    ),
    max_leaves=8,
)


def test_one_malformed_draft_does_not_lose_the_others() -> None:
    read = DRAFTS.validate_python([GOOD, "oops", GOOD | {"prompt": {"text": "x"}}, None, GOOD])
    assert [bool(draft.malformed) for draft in read] == [False, True, True, True, False]
    assert read[0] == read[4] == SeedDraft.model_validate(GOOD)
    assert read[1].malformed == 'expected an object, got "oops"'
    assert read[2].malformed.startswith('prompt: expected text, got {"text": "x"}; got {')


@given(st.lists(ANYTHING, max_size=4))
def test_any_list_can_be_read_and_faulty_elements_say_so(values: list[Any]) -> None:
    for draft in DRAFTS.validate_python(values):
        assert draft_faults(draft)


@given(ANYTHING)
def test_json_and_python_are_read_alike(value: Any) -> None:
    text = json.dumps([value], allow_nan=True)
    assert (
        DRAFTS.validate_python(json.loads(text))[0].malformed[:20]
        == DRAFTS.validate_json(text)[0].malformed[:20]
    )


def test_the_schema_shown_to_the_model_is_strict_and_hides_our_own_field() -> None:
    schema = DRAFTS.json_schema()["$defs"]["SeedDraft"]
    assert schema["required"] == list(schema["properties"])
    assert set(schema["properties"]) == {*TEXT_FIELDS, *LIST_FIELDS}
    assert schema["properties"]["injected_numbers"]["items"] == {"type": "string"}
    assert "malformed" not in json.dumps(schema)
    assert "default" not in json.dumps(schema)


def test_an_example_is_shown_without_our_own_field() -> None:
    assert set(json.loads(seed_to_draft(seed()).model_dump_json())) == {*TEXT_FIELDS, *LIST_FIELDS}


def test_figures_may_come_as_bare_numbers_and_lists_as_a_single_text() -> None:
    draft = SeedDraft.model_validate(GOOD | {"injected_numbers": [12, 1.5, "４"], "avoid": "a lid"})
    assert draft.injected_numbers == ["12", "1.5", "４"]
    assert draft.avoid == ["a lid"]
    assert draft.malformed == ""


@pytest.mark.parametrize("bad", [[True], [["9"]], {"9": 1}, True])
def test_what_is_neither_text_nor_number_is_no_figure(bad: Any) -> None:
    assert "injected_numbers" in SeedDraft.model_validate(GOOD | {"injected_numbers": bad}).malformed


@pytest.mark.parametrize(
    "name", ["scenario", "prompt", "trap_core", "ground_truth", "tool", "object", "action"]
)
@pytest.mark.parametrize("value", ["", " \n", None])
def test_a_text_that_is_missing_is_named(name: str, value: Any) -> None:
    draft = SeedDraft.model_validate(GOOD | {name: value})
    assert draft_faults(draft) == ((Fault.BAD_STRUCTURE, f"{name} is missing or empty"),)
    with pytest.raises(ValueError, match=f"draft k: {name} is missing"):
        draft_to_seed(draft, "D1", Language.EN, None, "k")


def test_hints_and_niche_may_be_missing() -> None:
    draft = SeedDraft.model_validate(GOOD | {"preserve": [], "avoid": None, "scene": "", "life_area": None})
    assert draft_faults(draft) == ()


@pytest.mark.parametrize("language", Language)
def test_a_seed_survives_the_way_through_a_draft(language: Language) -> None:
    provenance = Provenance(model="lab/generator", simulated=True)
    before = seed(language)
    after = draft_to_seed(seed_to_draft(before), "D1", language, provenance, "d1-w0-b0-0")
    assert after.seed_id == before.seed_id
    assert (after.key, after.origin, after.provenance) == ("d1-w0-b0-0", Origin.SCALED, provenance)
    assert after.niche == before.niche
    assert after.simulated


def test_only_outer_white_space_is_removed() -> None:
    draft = SeedDraft.model_validate(GOOD | {"prompt": "  two\n  lines, ３ {x} \t", "avoid": [" a ", " "]})
    made = draft_to_seed(draft, "D1", Language.EN, None, "k")
    assert made.prompt == "two\n  lines, ３ {x}"
    assert made.avoid == ("a",)


def test_listed_figures_take_the_notation_of_the_prompt() -> None:
    draft = SeedDraft.model_validate(
        GOOD | {"prompt": "三个人走３公里，3天，涨30 %", "injected_numbers": ["3", "３公里", "30%", 3, "7"]}
    )
    made = draft_to_seed(draft, "D1", Language.ZH, None, "k")
    assert made.injected_numbers == ("3", "３", "30 %", "三", "7")


def test_a_malformed_draft_is_refused_with_what_was_received() -> None:
    with pytest.raises(ValueError, match='draft k: expected an object, got "oops"'):
        draft_to_seed(SeedDraft.model_validate("oops"), "D1", Language.EN, None, "k")

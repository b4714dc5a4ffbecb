"""Parsing of structured replies; tests are named after the fault they guard (cases B05 to B12)."""

from __future__ import annotations

import json
import time
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.parsing.structured import parse_fields
from salitrap.records import Outcome

TEXT = {"text": str, "answer": str}
REASON = {"reason": str, "answer": str}


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    name: str
    sizes: list[str]
    good: bool


def failed(text, fields, **more):
    with pytest.raises(ParseError) as caught:
        parse_fields(text, fields, **more)
    return caught.value


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('```json\n{"text": "type ```x``` to quit", "answer": "walk"}\n```', "type ```x``` to quit"),
        ('```bash\nls\n```\n{"text": "t", "answer": "walk"}', "t"),
        ('Sure {smile}:\n```\n{"text": "t", "answer": "walk"}\n```\nHope it helps {bye}', "t"),
        ('{"text": "t", "answer": "walk"}', "t"),
        ('\ufeff \n{"text": "t", "answer": "walk"}', "t"),
    ],
)
def test_b05_fences_in_several_shapes(reply, text):
    assert parse_fields(reply, TEXT) == {"text": text, "answer": "walk"}


def test_b05_empty_fence_is_unparsable_and_quoted():
    error = failed("```json\n```", TEXT)
    assert error.outcome is Outcome.UNPARSABLE
    assert "```json" in str(error)


def test_b07_draft_in_an_unfinished_think_block_is_not_the_answer():
    error = failed('<think>\nmaybe {"reason": "draft", "answer": "walk"} but', REASON)
    assert error.outcome is Outcome.TRUNCATED
    assert "token limit" in str(error)


@pytest.mark.parametrize("fields", [{"q": str, "a": str}, {"items": list[dict[str, str]]}])
def test_b07_list_cut_off_in_mid_string_yields_nothing(fields):
    error = failed('[{"q": "one", "a": "x"}, {"q": "two", "a": "y and the', fields)
    assert "token limit" in str(error)


@pytest.mark.parametrize(
    "cut",
    [
        '{"reason": "r", "answer": "dr',
        '{"reason": "r", "answer"',
        '{"reason": "r",',
        "{",
        "{'reason': 'r', 'answer': 'dr",
        "{'reason': 'r', 'answer': 'a {brace} in",
        "{reason: 'r', answer: 'don't know}, he said",
        '{"reason": "r", "answer": "walk", "steps": [{"a": 1}, {"a": 2',
        "{“reason”：“r”，“answer”：“dr",
        '{"reason": "r", "answer": "' + "again and again\\n" * 500,
    ],
)
def test_b07_object_cut_off_anywhere_is_truncated_and_never_repaired(cut):
    assert failed(f"```json\n{cut}", REASON).outcome is Outcome.TRUNCATED


def test_think_block_before_the_answer_is_dropped():
    reply = '<think>{"reason": "draft", "answer": "walk"}</think>{"reason": "r", "answer": "drive"}'
    assert parse_fields(reply, REASON)["answer"] == "drive"


def test_closing_think_tag_inside_a_value_cuts_nothing():
    reply = '{"reason": "it wrote </think> twice", "answer": "drive"}'
    assert parse_fields(reply, REASON)["reason"] == "it wrote </think> twice"


def test_a_later_object_corrects_an_earlier_one():
    reply = '{"reason": "a", "answer": "walk"} No, wait: {"reason": "b", "answer": "drive"}'
    assert parse_fields(reply, REASON) == {"reason": "b", "answer": "drive"}


@pytest.mark.parametrize(
    "reply",
    [
        '{"result": {"reason": "r", "answer": "drive"}}',
        '{"json": "{\\"reason\\": \\"r\\", \\"answer\\": \\"drive\\"}"}',
        '[{"reason": "r", "answer": "drive"}]',
        '{"status": "ok", "result": {"reason": "r", "answer": "drive"}}',
    ],
)
def test_b09_wrappers_are_taken_off(reply):
    assert parse_fields(reply, REASON) == {"reason": "r", "answer": "drive"}


def test_b09_two_whole_objects_in_a_wrapper_are_not_guessed_between():
    two = json.dumps({"a": {"reason": "r", "answer": "x"}, "b": {"reason": "r", "answer": "y"}})
    assert "missing" in str(failed(two, REASON))


@pytest.mark.parametrize(
    "reply", ['{"reason": "r"}', '{"reason": "r", "answer": null}', '{"reason": "r", "answer": " "}']
)
def test_b09_missing_or_empty_field_is_refused_by_name(reply):
    assert "answer" in str(failed(reply, REASON))


@pytest.mark.parametrize("reply", ["{}", "{ }", "```json\n{\n}\n```", "Here it is: {}", "[{}]"])
def test_empty_object_is_told_by_the_fields_it_lacks(reply):
    """It was told as "no JSON object was found", which the model could not make sense of."""
    error = failed(reply, REASON)
    assert error.problem == "missing or null: reason, answer"
    assert error.outcome is Outcome.UNPARSABLE


def test_empty_object_beside_a_real_one_is_nothing():
    assert parse_fields('{} {"reason": "r", "answer": "a"} {}', REASON)["answer"] == "a"
    assert parse_fields("{}\nreason: r\nanswer: a", REASON)["answer"] == "a"
    assert "missing or null: answer" in str(failed('{"reason": "r"} {}', REASON))


def test_optional_field_may_be_missing_null_or_empty():
    for reply in ('{"answer": "x"}', '{"answer": "x", "reason": null}', '{"answer": "x", "reason": ""}'):
        assert parse_fields(reply, REASON, optional={"reason": ""}) == {"reason": "", "answer": "x"}


def test_b10_full_width_structure_is_read():
    assert parse_fields("{“label”：“pass”，“why”：“ok”}", {"label": str, "why": str}) == {
        "label": "pass",
        "why": "ok",
    }


def test_b10_inner_curly_quotes_are_kept():
    reply = '{"来源": "他说“走路”更快", "label": "pass"}'
    assert parse_fields(reply, {"来源": str, "label": str})["来源"] == "他说“走路”更快"
    broken = '{"来源": "他说：“走路”，更快", "label": "pass",}'
    assert parse_fields(broken, {"来源": str, "label": str})["来源"] == "他说：“走路”，更快"


def test_b10_inch_mark_stays_in_the_text_and_no_key_is_invented():
    fields = {"why": str, "label": str}
    assert parse_fields('{"why": "a 1/2" bolt was, loose.", "label": "pass"}', fields) == {
        "why": 'a 1/2" bolt was, loose.',
        "label": "pass",
    }


@pytest.mark.parametrize("word", ["pass", "PASS", " Pass. ", "“pass”", "**pass**"])
def test_b12_choice_in_any_dress_is_recognised(word):
    assert parse_fields(json.dumps({"verdict": word}), {"verdict": Literal["pass", "fail"]}) == {
        "verdict": "pass"
    }


@pytest.mark.parametrize("word", ["PASSFAIL", "incorrect", "compass", "pass or fail", ""])
def test_b12_choice_is_never_matched_by_a_part_of_a_word(word):
    failed(json.dumps({"verdict": word}), {"verdict": Literal["pass", "fail", "correct"]})


def test_prose_is_declined_not_unparsable():
    assert failed("I can't help with that.", REASON).outcome is Outcome.DECLINED
    assert failed("I looked {briefly} at it [twice].", REASON).outcome is Outcome.DECLINED


def test_field_markers_are_read_even_indented_and_on_one_line():
    reply = "[[ ## reason ## ]]\nr\nmore\n  [[ ## answer ## ]] drive\n\n[[ ## completed ## ]]"
    assert parse_fields(reply, REASON) == {"reason": "r\nmore", "answer": "drive"}


def test_marker_inside_a_line_opens_no_field():
    reply = "[[ ## reason ## ]]\nit said [[ ## answer ## ]] fly\n[[ ## answer ## ]]\ndrive"
    assert parse_fields(reply, REASON)["answer"] == "drive"


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("yes", bool, True),
        ("否", bool, False),
        ("False.", bool, False),
        (1, bool, True),
        ("4", int, 4),
        (4.0, int, 4),
        ("Red", Colour, Colour.RED),
        (3.5, str, "3.5"),
        ([40, "3.5"], list[str], ["40", "3.5"]),
        ('["a"]', list[str], ["a"]),
        ("5", Annotated[int, Field(ge=1, le=5)], 5),
    ],
)
def test_values_are_brought_to_their_type(value, wanted, expected):
    got = parse_fields(json.dumps({"v": value}), {"v": wanted})["v"]
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (True, int),
        ("maybe", bool),
        (4.5, int),
        ("6", Annotated[int, Field(ge=1, le=5)]),
        ({"a": 1}, str),
        ([], list[str]),
    ],
)
def test_values_of_another_type_are_refused(value, wanted):
    assert failed(json.dumps({"v": value}), {"v": wanted}).outcome is Outcome.UNPARSABLE


def test_nested_models_are_checked_and_named():
    good = {"name": "n", "sizes": [1, "2"], "good": "no"}
    parsed = parse_fields(json.dumps({"parts": [good]}), {"parts": list[Part]})["parts"]
    assert parsed == [Part(name="n", sizes=["1", "2"], good=False)]
    assert "parts: 0.name" in str(
        failed(json.dumps({"parts": [{"sizes": [], "good": True}]}), {"parts": list[Part]})
    )


def test_bare_list_serves_a_single_list_field():
    assert parse_fields('["40", "3.5"]', {"numbers": list[str]}) == {"numbers": ["40", "3.5"]}


def test_hostile_nesting_is_refused_quickly():
    for reply in ('{"a":' * 20_000, "[" * 100_000, "{" * 100_000, '{"a"' * 20_000, "<think></think>" * 5_000):
        failed(reply, REASON)


SOUP = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            '"',
            "“",
            "”",
            "：",
            "，",
            ":",
            ",",
            "```",
            "json",
            "<think>",
            "</think>",
            "reason",
            "answer",
            "[[ ## answer ## ]]",
            "\n",
            " ",
            "\\",
            "1",
            "null",
            "true",
            "NaN",
            "\ud800",
            "1e999",
            "'",
        ]
    ),
    max_size=40,
).map("".join)


@given(st.one_of(st.text(), SOUP))
def test_parsing_raises_nothing_but_parse_error(text):
    try:
        values = parse_fields(text, {"reason": str, "answer": list[int]})
    except ParseError as error:
        assert error.outcome in (Outcome.DECLINED, Outcome.UNPARSABLE, Outcome.TRUNCATED)
    else:
        assert set(values) == {"reason", "answer"}


WORDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(lambda text: text.strip())
WRAPPINGS = [
    ("", ""),
    ("```json\n", "\n```"),
    ("Here it is:\n", "\nDone {really}."),
    ("<think>a {draft}</think>", ""),
    ('{"result": ', "}"),
    ("[", "]"),
    ("```bash\nls\n```\n", ""),
]


@given(
    WORDS,
    WORDS,
    st.booleans(),
    st.lists(st.integers(), min_size=1),
    st.sampled_from(WRAPPINGS),
    st.booleans(),
)
def test_valid_output_survives_every_wrapping(reason, answer, sure, sizes, wrapping, ascii_only):
    value = {"reason": reason, "answer": answer, "sure": sure, "sizes": sizes}
    reply = json.dumps(value, ensure_ascii=ascii_only).join(wrapping)
    fields = {"reason": str, "answer": str, "sure": bool, "sizes": list[int]}
    assert parse_fields(reply, fields) == value


def test_half_characters_written_as_escapes_never_reach_a_record():
    reply = (
        '{"text": "a \\ud83d b", "parts": [{"name": "\\ude00", "sizes": ["\\ud83d\\ude00"], "good": true}]}'
    )
    found = parse_fields(reply, {"text": str, "parts": list[Part]})
    assert found["text"] == "a ? b"
    assert found["parts"][0].model_dump_json() == '{"name":"?","sizes":["\U0001f600"],"good":true}'


@pytest.mark.parametrize(
    "text",
    [
        "<answer>" * 20_000,
        "{" + ",".join(f"k{number}: v{number}" for number in range(5000)) + "}",
        '{"answer": "x", ' + "/* " * 20_000 + "}",
        "{'a': " + "(" * 20_000 + ")" * 20_000 + "}",
    ],
    ids=["tags", "bare keys", "comments", "brackets"],
)
def test_a_long_broken_reply_is_refused_in_no_time(text):
    """One such reply held all other calls up for twenty seconds."""
    began = time.process_time()
    with pytest.raises(ParseError):
        parse_fields(text, {"answer": str, "sure": bool})
    assert time.process_time() - began < 3.0


def test_a_long_reply_that_is_whole_is_read_wherever_it_stands():
    answer = "word " * 20_000
    for text in (
        json.dumps({"answer": answer}),
        f"Here:\n```json\n{json.dumps({'answer': answer})}\n```\nDone.",
    ):
        assert parse_fields(text, {"answer": str})["answer"].strip() == answer.strip()

"""Reading requests."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.lab.desk import reply_to
from salitrap.lab.request import BadRequest, read_request
from salitrap.records.enums import Language
from tests.lab.asks import RewriteForm, ScaleForm, question, structured, structured_body

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)


def test_fields_of_the_user_message_are_read_with_their_types() -> None:
    inputs = {"prompt": "two\n\nparagraphs", "siblings": ["a", "b"], "count": 3, "niche": {"tool": "x"}}
    ask = structured(RewriteForm, inputs)
    assert ask.inputs == inputs
    assert ask.properties == {"rewritten"}


def test_a_neutralised_marker_inside_a_value_opens_no_field() -> None:
    ask = structured(RewriteForm, {"prompt": "a\n[ [ ## siblings ## ]]\nb", "trap_core": "c"})
    assert set(ask.inputs) == {"prompt", "trap_core"}


def test_a_reask_answers_from_the_first_user_message() -> None:
    body = structured_body(RewriteForm, {"prompt": "First I walk 3 km. Then how far is it?", "siblings": []})
    body["messages"] += [{"role": "assistant", "content": "nonsense"}, {"role": "user", "content": "Again."}]
    ask = read_request(body, 0)
    assert ask.said("prompt").startswith("First I walk")


def test_language_follows_the_inputs_and_not_the_instructions() -> None:
    chinese = structured(
        ScaleForm, {"dimension": "D1：缺失前提", "definition": "工具缺少必要条件", "count": 1}
    )
    assert chinese.language is Language.ZH
    assert question("How long for 40 l?").language is Language.EN
    assert question("40升水要搬几趟？").language is Language.ZH


def test_an_unknown_schema_gets_a_valid_instance() -> None:
    schema = {
        "type": "object",
        "properties": {
            "kind": {"enum": ["a", "b"]},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
            "maybe": {"anyOf": [{"type": "integer", "minimum": 7, "maximum": 7}, {"type": "null"}]},
        },
        "$defs": {"Part": {"type": "object", "properties": {"ok": {"type": "boolean"}}}},
    }
    body = {
        "model": "writer",
        "messages": [{"role": "user", "content": "go"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}},
    }
    reply = json.loads(reply_to(read_request(body, 0)).content or "")
    assert reply["kind"] in ("a", "b")
    assert isinstance(reply["parts"][0]["ok"], bool)
    assert reply["maybe"] == 7


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"model": "x"},
        {"model": "x", "messages": []},
        {"model": "x", "messages": [{"role": "system", "content": "only"}]},
        {"model": "x", "messages": [{"role": "user", "content": 3}]},
        {"model": 1, "messages": [{"role": "user", "content": "hi"}]},
    ],
)
def test_bodies_that_are_no_request_are_refused(body: object) -> None:
    with pytest.raises(BadRequest):
        read_request(body, 0)


@given(JSON, JSON, JSON)
def test_any_json_body_is_answered_or_refused(model: object, messages: object, extra: object) -> None:
    for body in ({"model": model, "messages": messages, "response_format": extra}, messages):
        try:
            ask = read_request(body, 0)
        except BadRequest:
            continue
        assert isinstance(reply_to(ask).content, str)


@given(st.text(max_size=200))
def test_any_user_text_gets_an_answer(text: str) -> None:
    assert reply_to(question(text)).content

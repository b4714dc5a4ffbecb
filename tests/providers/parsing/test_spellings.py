"""What real models write instead of plain JSON: one reading is read, two are refused."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.parsing.structured import parse_fields
from salitrap.providers.wire.reasoning import split_thought
from salitrap.records import Outcome

VERDICT = {"holds": bool, "change": Literal["none", "patched", "lost"], "reason": str}
OPTIONAL = {"reason": ""}
KEPT = {"holds": True, "change": "none", "reason": ""}
REWRITE = {"rewritten": str}
NOTICES = {"notices": Literal["never", "late", "early"]}


class Draft(BaseModel):
    name: str
    text: str = ""
    sizes: list[str] = []


def read(reply, fields=VERDICT, optional=OPTIONAL):
    return parse_fields(reply, fields, optional={name: optional[name] for name in optional if name in fields})


def refused(reply, fields=VERDICT):
    with pytest.raises(ParseError) as caught:
        read(reply, fields)
    return caught.value.outcome


@pytest.mark.parametrize(
    "reply",
    [
        "{'holds': True, 'change': 'none'}",
        "{'holds': True, 'change': 'none', 'reason': None,}",
        "Sure:\n{'holds': True, 'change': 'none'}\nHope this helps!",
        'Here:\n```json\n{"holds": true, "change": "none",}\n```\nHope {this} helps!',
        '{"holds": true, // still there\n"change": "none"}',
        '"{\\"holds\\": true, \\"change\\": \\"none\\"}"',
        '{\\"holds\\": true, \\"change\\": \\"none\\"}',
        '{"holds": true, "change": "none"}{"holds": true, "change": "none"}',
        '{"Holds": true, "CHANGE ": "None"}',
        "[[## holds ##]]\ntrue\n\n[[ ## change ## ]] none\n\n[[ ## completed ## ]]",
        "holds: true\nchange: none",
        "My verdict:\n\n- **Holds:** yes\n- **Change:** none\n",
        "1. holds: true\n2. change: none",
        "holds：是\nchange：无",
        "<holds>true</holds>\n<change>none</change>",
        "｛“holds”：true，“change”：“none”｝",
        '｛"holds"：真，"change"："none"｝',
        "{「holds」：是，「change」：「无」}",
        "◁think▷{'holds': False}◁/think▷{'holds': True, 'change': 'none'}",
        '<思考>{"holds": false, "change": "lost"}</思考>{"holds": true, "change": "none"}',
    ],
)
def test_one_reading_is_read(reply):
    assert read(reply) == KEPT


@pytest.mark.parametrize(
    "reply",
    [
        '{"holds": true, "holds": false, "change": "none"}',
        '{"holds": true, "Holds": false, "change": "none"}',
        '{"holds": "true/false", "change": "none"}',
        '{"holds": "true (mostly)", "change": "none"}',
        '{"holds": "maybe", "change": "none"}',
        '{"holds": null, "change": "none"}',
        '{"holds": "没有", "change": "none"}',
        '{"holds": true, "change": "none|patched"}',
        '{"holds": true, "change": ["none", "lost"]}',
        '{"holds": true, "change": null}',
        '{"type": "object", "properties": {"holds": {"type": "boolean"}, "change": {"enum": ["none"]}}}',
        '{"verdicts": [{"holds": true, "change": "none"}, {"holds": false, "change": "lost"}]}',
        "holds: true\nholds: false\nchange: none",
        "[[ ## holds ## ]]\ntrue\n[[ ## change ## ]]\nnone\n[[ ## holds ## ]]\nfalse",
        '{"holds": true, "change": "none"} No: {"holds": "unclear", "change": "lost"}',
        '{"判断": true, "变化": "none"}',
    ],
)
def test_two_readings_or_none_are_refused(reply):
    assert refused(reply) is Outcome.UNPARSABLE


def test_parts_of_a_broken_object_are_no_answer():
    broken = '{"draft": {"rewritten": "first try"} "rewritten": "final" "and": }x'
    assert refused(broken, REWRITE) is Outcome.UNPARSABLE
    trailing = (
        '{"drafts": [{"name": "a", "text": "t", "sizes": []}, {"name": "b", "text": "t", "sizes": []},],}'
    )
    assert [draft.name for draft in read(trailing, {"drafts": list[Draft]})["drafts"]] == ["a", "b"]


def test_text_in_labelled_lines_is_one_line_or_nothing():
    assert read("Rewritten: I have 3 cats.", REWRITE) == {"rewritten": "I have 3 cats."}
    assert read('Here it is:\n\n**rewritten:**\n"I have 3 cats."\n', REWRITE) == {
        "rewritten": "I have 3 cats."
    }
    chatty = "rewritten: I have 3 cats.\n\nI kept all the figures."
    assert refused(chatty, REWRITE) is Outcome.UNPARSABLE


@pytest.mark.parametrize("value", [["I have 3 cats."], "I have 3 cats."])
def test_list_of_one_text_is_that_text(value):
    assert read(json.dumps({"rewritten": value}), REWRITE) == {"rewritten": "I have 3 cats."}


@pytest.mark.parametrize("value", [["one version", "another"], {"text": "x"}, True, [["x"]], [], [1]])
def test_anything_else_is_no_text(value):
    assert refused(json.dumps({"rewritten": value}), REWRITE) is Outcome.UNPARSABLE


@pytest.mark.parametrize(
    "reply",
    [
        '[{"name": "a", "text": "t", "sizes": []}]',
        '{"name": "a", "text": "t", "sizes": []}',
        '{"drafts": {"name": "a", "text": "t", "sizes": []}}',
        '{"Drafts": [{"Name": "a", "TEXT": "t", "sizes": []}]}',
    ],
)
def test_one_entry_without_its_list_is_a_list_of_one(reply):
    (draft,) = read(reply, {"drafts": list[Draft]})["drafts"]
    assert (draft.name, draft.text) == ("a", "t")


def test_entries_one_after_the_other_are_all_kept():
    reply = "\n".join(json.dumps({"name": name, "text": "t", "sizes": []}) for name in "abc")
    assert [draft.name for draft in read(reply, {"drafts": list[Draft]})["drafts"]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "written",
    [4, 4.0, "4", "4.0", "４", "4/5", "4 / 5", "4 out of 5", "4分", "4 分", "四", "四分", "four", "4 points"],
)
def test_scores_in_any_spelling(written):
    assert read(json.dumps({"score": written}), {"score": Literal[1, 2, 3, 4, 5]}) == {"score": 4}


@pytest.mark.parametrize(
    "written",
    [0, 6, 3.5, True, "4/10", "3-4", "4 or 5", "3.5", "4.5/5", "80%", "high", "", [4], "-4", "十一"],
)
def test_what_is_no_score_of_the_scale_is_refused(written):
    assert refused(json.dumps({"score": written}), {"score": Literal[1, 2, 3, 4, 5]}) is Outcome.UNPARSABLE


@pytest.mark.parametrize(
    ("word", "choice"),
    [("早", "early"), ("晚", "late"), ("从不", "never"), ("Early.", "early"), ("ＬＡＴＥ", "late")],
)
def test_choices_in_chinese_and_in_any_dress(word, choice):
    assert read(json.dumps({"notices": word}), NOTICES) == {"notices": choice}


@pytest.mark.parametrize(
    "word", ["无", "很早以前", "early|late", "late (after computing)", "从不 never", "中"]
)
def test_words_that_name_no_choice_of_this_field_are_refused(word):
    assert refused(json.dumps({"notices": word}, ensure_ascii=False), NOTICES) is Outcome.UNPARSABLE


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity", 1e999])
def test_numbers_are_finite(value):
    assert (
        refused(json.dumps({"score": value}).replace("Infinity", "1e999"), {"score": float})
        is Outcome.UNPARSABLE
    )


@pytest.mark.parametrize("tag", ["思考", "Think", "thinking"])
def test_unclosed_thought_is_no_answer_in_any_language(tag):
    thought = split_thought(f"<{tag}>先想想，答案也许是四")
    assert (thought.text, thought.unfinished) == ("", True)


PLAIN = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=40).filter(
    lambda text: text.strip()
)


@given(
    PLAIN,
    PLAIN,
    st.sampled_from([json.dumps, repr, lambda value: f"```json\n{json.dumps(value)}"]),
    st.data(),
)
def test_no_prefix_of_a_reply_is_ever_an_answer(text, reason, written, data):
    whole = written({"rewritten": text, "reason": reason})
    prefix = whole[: data.draw(st.integers(0, len(whole) - 1))]
    try:
        values = parse_fields(prefix, {"rewritten": str, "reason": str})
    except ParseError as error:
        assert error.outcome is not Outcome.OK
    else:
        raise AssertionError(f"{prefix!r} was read as {values}")


@example("\U00018cd6\\0", False)  # an escaped backslash before a digit was taken for an odd escape
@given(st.text(min_size=1, max_size=40).filter(lambda text: text.strip()), st.booleans())
def test_python_literals_mean_the_same_as_json(text, holds):
    value = {"rewritten": text, "holds": holds}
    try:
        read_back = parse_fields(repr(value), {"rewritten": str, "holds": bool})
    except ParseError:
        return
    assert read_back == {"rewritten": text.encode("utf-8", "replace").decode(), "holds": holds}


@given(st.dictionaries(st.sampled_from(["holds", "Holds", "HOLDS", "ho_lds"]), st.booleans(), min_size=1))
def test_names_in_several_dresses_count_only_when_they_agree(given_names):
    if len(set(given_names.values())) == 1:
        assert read(json.dumps(given_names), {"holds": bool}) == {"holds": next(iter(given_names.values()))}
    else:
        assert refused(json.dumps(given_names), {"holds": bool}) is Outcome.UNPARSABLE

"""A repaired reading has everything that was written, and nothing more."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.parsing.repair import repaired
from salitrap.providers.parsing.structured import parse_fields
from salitrap.providers.parsing.typographic import exact_structure

FIELDS = {"why": str, "label": str}
BITS = ["a", "1/2", '"', ", ", "bolt", '14"', " ", "; ", ".", "'", "good", "走", "//", "(b)"]
QUOTED = (
    st.lists(st.sampled_from(BITS), min_size=1, max_size=8).map("".join).filter(lambda text: text.strip())
)


@example('a"1/2, , "', '{{"why": "{}", "label": "pass"}}')  # its rest became a key with an empty text
@given(QUOTED, st.sampled_from(['{{"why": "{}", "label": "pass"}}', '{{"label": "pass", "why": "{}",}}']))
def test_quotes_that_are_not_escaped_lose_and_add_nothing(why, form):
    reply = form.format(why)
    try:
        found = parse_fields(reply, FIELDS)
    except ParseError:
        return
    assert (found["why"].strip(), found["label"]) == (why.strip(), "pass")


PLAIN = st.text(st.sampled_from("ab1 ，。：、走（）,.:{}[]'\n"), min_size=1).filter(lambda text: text.strip())


@given(PLAIN, PLAIN, st.sampled_from(["“”", "‘’", "「」", "『』", "«»", "＂＂"]))
def test_typographic_json_is_read_exactly(why, label, pair):
    why, label = why.replace("'", ""), label.replace("'", "")
    names = [f"{pair[0]}{text}{pair[1]}" for text in ("why", why, "label", label)]
    reply = "｛{}：{}，{}：{}｝".format(*names)
    if why.strip() and label.strip():
        assert parse_fields(reply, FIELDS) == {"why": why, "label": label}


@given(st.dictionaries(st.text(), st.one_of(st.text(), st.booleans(), st.none(), st.lists(st.text()))))
def test_json_itself_is_not_changed_by_the_exact_reading(value):
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only)
        assert exact_structure(f"Here: {text}\nDone.") == f"Here: {text}\nDone."


@pytest.mark.parametrize(
    ("span", "value"),
    [
        ('{"a": "x",}', {"a": "x"}),
        ('{"a": true, // still\n "b": "",}', {"a": True, "b": ""}),
        ("{'a': None, 'b': 'it\\'s'}", {"a": None, "b": "it's"}),
        ("{a: 'x', b: 1}", {"a": "x", "b": 1}),
        ('{"a": "x" "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": "tab\\tand \\u8d70", "b": [1, 2,],}', {"a": "tab\tand 走", "b": [1, 2]}),
    ],
)
def test_faithful_repairs_are_kept(span, value):
    assert repaired(span, span) == value


@pytest.mark.parametrize(
    "span",
    [
        "{'a': 'x' 'y'}",
        "{'a': 1, 'a': 2}",
        '{"a": "x", "a": "y",}',
        '{"a": "one", two", "b": "y"}',
        '{"a": "one", two" and "three"", "b": "y"}',
        '{"a": "1/2""}',
    ],
)
def test_repairs_that_lose_or_invent_are_refused(span):
    assert repaired(span, span) is None

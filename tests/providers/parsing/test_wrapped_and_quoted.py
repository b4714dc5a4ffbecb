"""Wrappers, typographic quotes and verdicts, through the whole path: the cases B09, B10 and B12.

Each reply comes from a loopback server, and what counts is what access gives back and the journal keeps.
"""

from __future__ import annotations

import json
import sqlite3

import pytest

from salitrap.errors import CallFailed
from salitrap.records import Outcome
from tests.providers.helpers import journal_at
from tests.providers.parsing.asking import Correct, Reason, Source, Verdict, Why, asked, texts_of

WRAPPED = [
    '{"result": {"reason": "r", "answer": "drive"}}',
    '{"json": "{\\"reason\\": \\"r\\", \\"answer\\": \\"drive\\"}"}',
    '[{"reason": "r", "answer": "drive"}]',
    '{"output": {"data": {"reason": "r", "answer": "drive"}}}',
    '{"answer": {"reason": "r", "answer": "drive"}}',
    '{"name": "reply", "arguments": "{\\"reason\\": \\"r\\", \\"answer\\": \\"drive\\"}"}',
    '<tool_call>{"name": "reply", "arguments": {"reason": "r", "answer": "drive"}}</tool_call>',
    '{"role": "assistant", "content": "{\\"Reason\\": \\"r\\", \\"ANSWER\\": \\"drive\\"}"}',
    "{'result': {'reason': 'r', 'answer': 'drive'}}",
]


@pytest.mark.parametrize("reply", WRAPPED)
async def test_b09_one_whole_object_in_a_wrapper_is_taken_out(tmp_path, reply):
    assert await asked(tmp_path, Reason, reply) == {"reason": "r", "answer": "drive"}


UNCLEAR = [
    '{"draft": {"reason": "d", "answer": "walk"}, "final": {"reason": "r", "answer": "drive"}}',
    '[{"reason": "r", "answer": "walk"}, {"reason": "r", "answer": "drive"}]',
    '{"result": {"reason": "r", "answer": "drive"}, "answer": "walk"}',
    '{"reply": {"reason": "r"}, "answer": "drive"}',
    '{"fields": [{"name": "reason", "value": "r"}, {"name": "answer", "value": "drive"}]}',
    '{"reason": {"value": "r"}, "answer": {"value": "drive"}}',
    '{"result": {"reason": "", "answer": ""}}',
    '{"result": null}',
    '{"a": {"b": {"c": {"d": {"reason": "r", "answer": "drive"}}}}}',
]


@pytest.mark.parametrize("reply", UNCLEAR)
async def test_b09_what_is_not_one_whole_object_is_asked_again_once_and_kept(tmp_path, reply):
    failed = await asked(tmp_path, Reason, reply, reply, reasks=1)
    assert (failed.outcome, failed.raw) == (Outcome.UNPARSABLE, reply)
    assert texts_of(tmp_path) == [reply, reply]


LABEL_OK = {"label": "pass", "why": "ok"}
TYPOGRAPHIC = [
    ("{“label”：“pass”，“why”：“ok”}", LABEL_OK),
    ("{‘label’：‘pass’，‘why’：‘ok’}", LABEL_OK),
    ("{「label」：「pass」，「why」：「ok」}", LABEL_OK),
    ("{«label»: «pass», «why»: «ok»}", LABEL_OK),
    ("{„label“: „pass“, „why“: „ok“}", LABEL_OK),
    ("[{“label”：“pass”，“why”：“ok”}]", LABEL_OK),
    ('{"label":“pass”,"why":“ok”}', LABEL_OK),
    ("｛＂label＂：＂pass＂，＂why＂：＂ok＂｝", LABEL_OK),
    ('{"label"："pass"，"why"："ok"}', LABEL_OK),
    ('{\u200b"label": "pass",\ufeff "why": "ok"}', LABEL_OK),
    ("{“label”：“pass”，“why”：“他说“走路”更快”}", {"label": "pass", "why": "他说“走路”更快"}),
    ("{“label”：“pass”，“why”：“一：好，二：“坏””}", {"label": "pass", "why": "一：好，二：“坏”"}),
    ("{“why”: “he said: “go”, and left”, “label”: “pass”}",
     {"label": "pass", "why": "he said: “go”, and left"}),
    ("｛“label”：“pass”，“why”：“a｛b｝c，d：e”｝", {"label": "pass", "why": "a｛b｝c，d：e"}),
    ("{“label”：“pass”，“why”：“the sign \"stop\" and 14\" pipes”}",
     {"label": "pass", "why": 'the sign "stop" and 14" pipes'}),
    ("{“label”：“pass”，“why”：“one\\ntwo”}", {"label": "pass", "why": "one\ntwo"}),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "fields"), TYPOGRAPHIC)
async def test_b10_typographic_structure_is_read_and_its_texts_are_unchanged(tmp_path, reply, fields):
    assert await asked(tmp_path, Why, reply) == fields


@pytest.mark.parametrize(
    "text",
    ["他说“走路”更快", "“走路”", "“走路”，“开车”", "他说：“走”，然后", "「走」：『开』", "„so“ «is» it"],
)
async def test_b10_quotes_inside_valid_json_are_unchanged(tmp_path, text):
    reply = json.dumps({"来源": text, "label": "pass"}, ensure_ascii=False)
    assert await asked(tmp_path, Source, reply) == {"来源": text, "label": "pass"}


@pytest.mark.parametrize(
    "why",
    [
        'a 1/2" bolt was, loose.',
        "5'10\" tall",
        '1/2" and 3/4" bolts',
        'bolt 1/2"',
        'she said "no", "maybe", "yes"',
        'she said "no": that is all',
    ],
)
async def test_b10_inch_marks_that_are_not_escaped_stay_in_the_text(tmp_path, why):
    reply = f'{{"why": "{why}", "label": "pass"}}'
    assert await asked(tmp_path, Why, reply) == {"label": "pass", "why": why}


LOST = [
    '{"why": "a 1/2", bolt", "label": "pass"}',
    '{"why": "sizes 12", 14" and 16"", "label": "pass"}',
    '{"why": "one", two", three", "label": "pass"}',
    '{"label": "pass", "why": "a 1/2""}',
    '{"label": "pass", "why": "a 14" pipe",}',
    '{"label": "pass", "why": "good""bad"}',
    '{"label": "pass", "label": "fail", "why": "ok",}',
    '{"label": "pass", "why": "#\\", 14"\\"{}]", "more": 1}',
]


@pytest.mark.parametrize("reply", LOST)
async def test_b10_repair_that_would_lose_or_invent_something_is_refused(tmp_path, reply):
    """The rest of a text behind an inch mark and a comma was dropped without a word."""
    failed = await asked(tmp_path, Why, reply)
    assert isinstance(failed, CallFailed), failed
    assert failed.outcome is Outcome.UNPARSABLE


async def test_b10_model_is_told_to_escape_the_quote(tmp_path):
    good = '{"why": "a 1/2\\", bolt", "label": "pass"}'
    assert await asked(tmp_path, Why, LOST[0], good, reasks=1) == {"label": "pass", "why": 'a 1/2", bolt'}
    with sqlite3.connect(journal_at(tmp_path)) as db:
        asked_again = db.execute("SELECT messages FROM calls ORDER BY id DESC").fetchone()[0]
    assert 'a quote inside a text is written \\"' in json.loads(asked_again)[-1]["content"]


B12 = [
    (Verdict, "VERDICT: PASS. I see no reason to change the sub-verdict: fine.", "pass"),
    (Verdict, "verdict: pass", "pass"),
    (Verdict, "VERDICT: PASSFAIL", None),
    (Correct, "INCORRECT", "incorrect"),
    (Verdict, "This looks like a PASS at first, but the distance is wrong.\nVERDICT: FAIL", "fail"),
    (Verdict, "The passenger's compass and the Patch Compliance note agree.\nVERDICT: FAIL", "fail"),
    (Verdict, 'The candidate wrote "VERDICT: PASS" itself.\nVERDICT: FAIL', "fail"),
    (Verdict, "**Verdict:** PASS", "pass"),
    (Verdict, "I cannot decide.", None),
    (Verdict, "VERDICT:\u200bPASS", "pass"),
    (Verdict, "\u200bVERDICT: P\u200bASS", "pass"),
    (Correct, "verdict: in\u00adcorrect", "incorrect"),
    (Correct, "`incorrect`", "incorrect"),
    (Correct, "CORRECT or INCORRECT", None),
    (Verdict, "VERDICT: PASS\nVERDICT: FAIL", None),
    (Verdict, "> VERDICT: PASS\nVERDICT: FAIL", None),
    (Verdict, "VERDICT: PASS / FAIL", None),
    (Verdict, "VERDICT: not PASS", None),
    (Verdict, "VERDICT: PASS. On reflection, fail.", None),
    (Verdict, "VERDICT: compass", None),
    (Verdict, '{"verdict": "PASS"}\nVERDICT: FAIL', None),
    (Verdict, '{"verdict": "PASS", "verdict": "FAIL"}', None),
    (Verdict, '{"verdict": "pass. It fits."}', "pass"),
]


@pytest.mark.parametrize(("signature", "reply", "verdict"), B12)
async def test_b12_verdict_is_the_right_one_or_none(tmp_path, signature, reply, verdict):
    got = await asked(tmp_path, signature, reply)
    if verdict is None:
        assert isinstance(got, CallFailed), got
        assert got.outcome in (Outcome.UNPARSABLE, Outcome.DECLINED)
    else:
        assert got == {"verdict": verdict}


async def test_b12_verdict_in_mid_sentence_is_not_guessed_but_asked_for_again(tmp_path):
    """Of two verdicts in running text none is taken; the right value comes by asking again."""
    reply = "Draft VERDICT: FAIL\nOn reflection VERDICT:\u200bPASS"
    assert await asked(tmp_path, Verdict, reply, '{"verdict": "pass"}', reasks=1) == {"verdict": "pass"}

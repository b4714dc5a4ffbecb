"""Fences, thoughts and replies cut off, through the whole path: the cases B05 and B07.

Each reply comes from a loopback server, and what counts is what access gives back.
"""

from __future__ import annotations

import pytest

from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from salitrap.records import Outcome
from tests.providers.helpers import journal_at, pacing, settings
from tests.providers.parsing.asking import Listed, Reason, Text, asked
from tests.providers.servers import chat, claude, serving

FENCED = [
    ('```json\n{"text": "type ```x``` to quit", "answer": "walk"}\n```', "type ```x``` to quit"),
    ('```bash\nls\n```\n{"text": "t", "answer": "walk"}', "t"),
    ('Sure {smile}:\n```\n{"text": "t", "answer": "walk"}\n```\nHope it helps {bye}', "t"),
    ('~~~json\n{"text": "t", "answer": "walk"}\n~~~', "t"),
    ('````\n{"text": "```\\n{}\\n```", "answer": "walk"}\n````', "```\n{}\n```"),
    ('```JSON {"text": "t", "answer": "walk"}```', "t"),
    ('```json\n{"text": "t", "answer": "walk"}', "t"),
    ('\r\n```json\r\n{"text": "t",\r\n "answer": "walk"}\r\n```\r\n', "t"),
    ('```json\n{"text": "a", "answer": "fly"}\n```\nNo:\n```\n{"text": "b", "answer": "walk"}\n```', "b"),
    ('{"text": "as in ```{\\"text\\": \\"x\\", \\"answer\\": \\"fly\\"}```", "answer": "walk"}',
     'as in ```{"text": "x", "answer": "fly"}```'),
]  # fmt: skip


@pytest.mark.parametrize(("number", "case"), enumerate(FENCED))
async def test_b05_fences_in_every_shape_keep_what_is_inside(tmp_path, number, case):
    (reply, text), form = case, ("openai", "anthropic")[number % 2]
    assert await asked(tmp_path, Text, reply, form=form) == {"text": text, "answer": "walk"}


@pytest.mark.parametrize("reply", ["```json\n```", "```\n```\n```json\n```", "```json\nnull\n```"])
async def test_b05_empty_fence_is_a_parse_failure_that_quotes_it(tmp_path, reply):
    failed = await asked(tmp_path, Text, reply)
    assert (failed.outcome, failed.raw) == (Outcome.UNPARSABLE, reply)
    assert repr(reply) in str(failed)


DRAFT = '{"reason": "draft", "answer": "walk"}'
CUT = [
    f"<think>\nmaybe {DRAFT} but",
    f"<think>one</think><think>two {DRAFT}",
    f"<THINK>{DRAFT}",
    f"<thinking >{DRAFT}",
    f'<think time="3">{DRAFT}',
    f"<seed:think>{DRAFT} but",
    f"[THINK]maybe {DRAFT} but",
    f"<|thinking|>{DRAFT}",
    f"<|begin_of_thought|>\n{DRAFT}",
    f"<|channel|>analysis<|message|>maybe {DRAFT}",
    f"Okay.\n<think>\nmaybe {DRAFT} but",
    f"<think>{DRAFT}</thin",
    f'<think>{DRAFT}</think>{{"reason": "r", "ans',
    f'{DRAFT}\nNo, better: {{"reason": "r", "answer": "dr',
    '{"result": {"reason": "r", "answer": "drive"}',
    '{"json": "{\\"reason\\": \\"r\\", \\"answer\\": \\"dri',
    '{"reason": "r", "answer": "drive"',
]


@pytest.mark.parametrize(("reply", "finish"), [(CUT[0], "length"), *((reply, "stop") for reply in CUT)])
async def test_b07_cut_off_is_truncated_and_its_draft_is_no_answer(tmp_path, reply, finish):
    """Also where the server says nothing of a limit: a draft in other marks than <think> was the answer."""
    failed = await asked(tmp_path, Reason, chat(reply, finish))
    assert isinstance(failed, CallFailed), failed
    assert failed.outcome is Outcome.TRUNCATED
    assert "token limit" in str(failed)


@pytest.mark.parametrize("form", ["openai", "anthropic"])
@pytest.mark.parametrize("signature", [Listed, Reason])
async def test_b07_list_cut_off_in_a_text_gives_no_entries(tmp_path, signature, form):
    reply = '[{"q": "one", "a": "x"}, {"q": "two", "a": "y and the'
    said = chat(reply, "length") if form == "openai" else claude(reply, "max_tokens")
    failed = await asked(tmp_path, signature, said, form=form)
    assert failed.outcome is Outcome.TRUNCATED
    assert "token limit" in str(failed)
    assert (await asked(tmp_path, signature, reply, form=form)).outcome is Outcome.TRUNCATED


THOUGHT = [
    f"[THINK]maybe {DRAFT}[/THINK]",
    f"<seed:think>{DRAFT}</seed:think>",
    f"<|begin_of_thought|>{DRAFT}<|end_of_thought|>\n\n",
    f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>",
    f"Okay.\n<think>{DRAFT}</think>\n",
    f"maybe {DRAFT}\n[/THINK]",
]


@pytest.mark.parametrize("thought", THOUGHT)
async def test_b07_whole_thought_in_the_marks_of_other_families_is_kept_apart(tmp_path, thought):
    assert await asked(tmp_path, Reason, thought + '{"reason": "r", "answer": "drive"}') == {
        "reason": "r",
        "answer": "drive",
    }


@pytest.mark.parametrize("thought", THOUGHT)
async def test_solvers_thought_is_not_judged_with_its_answer(tmp_path, thought):
    """Marks of other families than <think> came through as the beginning of the answer."""
    async with (
        serving(lambda body, number: chat(f"{thought}Drive there.")) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        answer = await access.answer("How?")
    assert answer.text.removeprefix("Okay.").strip() == "Drive there."
    assert DRAFT in answer.reasoning


@pytest.mark.parametrize(
    "answer", ["The tag <think> opens it.", "Write\n```\n<think>\n```\nthere.", "a [THINK] b", "<thoughtful>"]
)
async def test_answer_that_speaks_of_think_tags_is_whole(tmp_path, answer):
    async with (
        serving(lambda body, number: chat(answer)) as server,
        open_access(settings(f"openai/m@{server.url}"), journal_at(tmp_path), pacing=pacing()) as access,
    ):
        got = await access.answer("How?")
    assert (got.outcome, got.text) == (Outcome.OK, answer)

from __future__ import annotations

from dataclasses import replace

import pytest

from salitrap.providers.access import ChatMessage, PromptRef
from salitrap.providers.journal.keys import call_key, sampling_seed
from salitrap.providers.request import CallRequest
from salitrap.records import Language, Role

PROMPT = PromptRef("truth", 1, Language.EN, "a" * 64)
ASKED = CallRequest(Role.CHECKER, (ChatMessage("user", "How?"),), 0.2, 100, 90.0, prompt=PROMPT)


@pytest.mark.parametrize(
    "change",
    [
        {"role": Role.JUDGE},
        {"messages": (ChatMessage("user", "How? "),)},
        {"messages": (ChatMessage("system", "Be brief."), ChatMessage("user", "How?"))},
        {"temperature": 0.3},
        {"max_tokens": 101},
        {"prompt": replace(PROMPT, version=2)},
        {"prompt": replace(PROMPT, sha256="b" * 64)},
        {"prompt": replace(PROMPT, language=Language.ZH)},
        {"prompt": None},
        {"repeat": 1},
    ],
    ids=str,
)
def test_whatever_changes_the_reply_changes_the_key(change):
    assert call_key(replace(ASKED, **change), "openai/m") != call_key(ASKED, "openai/m")


def test_the_endpoint_is_part_of_the_key():
    assert call_key(ASKED, "openai/m") != call_key(ASKED, "openai/n")


@pytest.mark.parametrize("change", [{"attempt_timeout": 1.0}, {"slot": 7}], ids=str)
def test_what_cannot_change_the_reply_keeps_the_key(change):
    assert call_key(replace(ASKED, **change), "openai/m") == call_key(ASKED, "openai/m")


def test_key_and_seed_are_the_same_in_every_process():
    key = call_key(ASKED, "openai/m")
    assert key == "97786f4b3086fec6b61218c9e9cc2ae5e6dd6c46e04ede4885aed7988f7d24a6"
    assert sampling_seed(key) == 538127183


def test_repeats_get_seeds_of_their_own():
    seeds = {sampling_seed(call_key(replace(ASKED, repeat=repeat), "lab/m")) for repeat in range(50)}
    assert len(seeds) == 50
    assert all(0 <= seed < 2**31 for seed in seeds)

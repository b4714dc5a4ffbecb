"""Token counts as servers report them: nothing is counted twice, and nothing is left out."""

from __future__ import annotations

import pytest

from salitrap.providers.wire.usage import Usage, read_message_usage, read_usage


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5}, Usage(10, 5, None)),
        ({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4}}, Usage(10, None, 4)),
        ({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 40}}, Usage(10, None, 10)),
        (
            {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 5}},
            Usage(10, None, 4, 5),
        ),
        (
            {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 50}},
            Usage(10, None, 4, 6),
        ),
        ({"prompt_tokens_details": {"cached_tokens": 4}}, Usage(None, None, None)),
        ({"prompt_tokens": 10, "prompt_tokens_details": None}, Usage(10, None, None)),
        ({"prompt_tokens": True, "completion_tokens": -1}, Usage(None, None, None)),
        ("none", Usage(None, None, None)),
        (None, Usage(None, None, None)),
    ],
)
def test_counts_of_a_chat_completion(usage, read):
    assert read_usage(usage) == read


def test_thoughts_are_in_the_output_already():
    thought = {"completion_tokens_details": {"reasoning_tokens": 400}}
    openai = {"prompt_tokens": 10, "completion_tokens": 500, "total_tokens": 510, **thought}
    assert read_usage(openai).output == 500


def test_thoughts_that_a_server_leaves_out_show_in_its_total():
    thought = {"completion_tokens_details": {"reasoning_tokens": 400}}
    other = {"prompt_tokens": 10, "completion_tokens": 100, "total_tokens": 510, **thought}
    assert read_usage(other).output == 500


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"input_tokens": 13, "output_tokens": 5}, Usage(13, 5, None)),
        (
            {"input_tokens": 13, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 700},
            Usage(733, None, 700, 20),
        ),
        ({"cache_read_input_tokens": 700}, Usage(700, None, 700)),
        ({"input_tokens": 13, "cache_creation_input_tokens": None}, Usage(13, None, None)),
        (None, Usage(None, None, None)),
    ],
)
def test_counts_of_the_messages_interface(usage, read):
    assert read_message_usage(usage) == read

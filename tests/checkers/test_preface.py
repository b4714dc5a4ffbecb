"""A rewrite that announces itself is not the request alone."""

from __future__ import annotations

import pytest

from checkers.guards import form_fault

SEED = "I have 6 litres of soup to carry down the hall. How many trips are that?"


@pytest.mark.parametrize(
    "text",
    [
        f"Here is the rewritten request: {SEED}",
        f"Rewritten: {SEED}",
        f"The new version, as asked: {SEED}",
        "改写后的求助题如下：我有6升汤要端过走廊，要走几趟？",
        "改写：我有6升汤要端过走廊，要走几趟？",
    ],
)
def test_announcement_in_front_is_found(text: str) -> None:
    """'Here is the rewritten request:' passed every list of words and would have become an item."""
    assert form_fault(SEED, text) == "an announcement in front of the request"


@pytest.mark.parametrize(
    "text",
    [
        f"Quick question: {SEED}",
        f"The message from my boss said: hurry. {SEED}",
        f"New recipe today: soup. {SEED}",
        "我要修改的尺寸：长6米，宽2米，要几块板？",
        "求助：家里有6升汤要端过走廊，要走几趟？",
    ],
)
def test_people_use_colons_too(text: str) -> None:
    assert form_fault(SEED, text) is None

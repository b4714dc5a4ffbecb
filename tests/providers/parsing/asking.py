"""Structured calls whose replies are scripted, for tests of what comes of a reply."""

from __future__ import annotations

import sqlite3
from typing import Literal

import dspy

from salitrap.errors import CallFailed
from salitrap.providers.open import open_access
from salitrap.records import Role
from tests.providers.helpers import PROMPT, journal_at, pacing, settings
from tests.providers.servers import chat, claude, serving


class Text(dspy.Signature):
    """Write."""

    question: str = dspy.InputField()
    text: str = dspy.OutputField()
    answer: str = dspy.OutputField()


class Reason(dspy.Signature):
    """Decide."""

    question: str = dspy.InputField()
    reason: str = dspy.OutputField()
    answer: str = dspy.OutputField()


class Listed(dspy.Signature):
    """List."""

    question: str = dspy.InputField()
    items: list[dict[str, str]] = dspy.OutputField()


class Why(dspy.Signature):
    """Rate."""

    question: str = dspy.InputField()
    label: str = dspy.OutputField()
    why: str = dspy.OutputField()


class Source(dspy.Signature):
    """Rate."""

    question: str = dspy.InputField()
    来源: str = dspy.OutputField()
    label: str = dspy.OutputField()


class Verdict(dspy.Signature):
    """Judge."""

    question: str = dspy.InputField()
    verdict: Literal["pass", "fail"] = dspy.OutputField()


class Correct(dspy.Signature):
    """Judge."""

    question: str = dspy.InputField()
    verdict: Literal["correct", "incorrect"] = dspy.OutputField()


async def asked(tmp_path, signature, *replies, form="openai", reasks=0):
    """The fields that come of ``replies`` given one after the other, or the ``CallFailed``."""
    if form == "openai":
        said = [reply if isinstance(reply, dict) else chat(reply) for reply in replies]
    else:
        said = [reply if isinstance(reply, dict) else claude(reply) for reply in replies]
    async with serving(lambda body, number: said[number]) as server:
        spec = f"openai/m@{server.url}" if form == "openai" else f"anthropic/m@{server.root}"
        chosen = settings(spec, limits={"reasks": reasks, "attempts": 1})
        async with open_access(chosen, journal_at(tmp_path), pacing=pacing()) as access:
            try:
                got = await access.ask(Role.JUDGE, dspy.Predict(signature), {"question": "?"}, PROMPT)
            except CallFailed as failed:
                return failed
        assert server.requests == len(replies)
    return dict(got.fields)


def texts_of(tmp_path):
    with sqlite3.connect(journal_at(tmp_path)) as db:
        return [row[0] for row in db.execute("SELECT text FROM calls ORDER BY id")]

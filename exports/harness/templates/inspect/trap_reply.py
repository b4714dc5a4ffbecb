"""What of a grader's reply counts: one of the six labels, proved by a quote where it claims a notice."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import trap_quotes
import trap_reasoning
import trap_rules
import trap_untrusted


@dataclass(frozen=True)
class Question:
    """What was asked; ``shown`` is the whole conversation where there is one, ``said`` the user's words."""

    said: str
    trap_core: str
    ground_truth: str
    language: str
    shown: str = ""

    def asked(self, answer: str) -> str:
        """The exhibits for the grader: in JSON no answer can end its own field."""
        fields = {
            "prompt": self.shown or self.said,
            "trap_core": self.trap_core,
            "ground_truth": self.ground_truth,
            "answer": answer,
        }
        return json.dumps(fields, ensure_ascii=False, indent=2)


@dataclass(frozen=True)
class Judged:
    """A label, None unless ``status`` is ok; ``replies`` are the grader's, in order."""

    status: str
    label: str | None = None
    quote: str = ""
    reason: str = ""
    replies: tuple[str, ...] = ()


def conclusion(question: Question, given: trap_untrusted.Exhibit, replies: tuple[str, ...]) -> Judged:
    """Read the last of ``replies`` about the answer ``given``."""
    fields = fields_of(replies[-1])
    label, quote, reason = (str(fields.get(key) or "") for key in ("label", "quote", "reason"))
    if label not in trap_rules.LABELS:
        return Judged("judge_unresolved", reason="the reply names none of the labels", replies=replies)
    span = given.find(quote) or ""
    if label in trap_rules.NOTICING and (not span or trap_quotes.find_quote(question.said, span) is not None):
        why = f"{label}, but the quote is not in the answer, or only repeats the request: {quote!r}"
        return Judged("judge_unresolved", reason=why, replies=replies)
    return Judged("ok", label, span, reason, replies)


def fields_of(reply: str) -> dict[str, Any]:
    """The JSON object of a reply, empty when there is none; text and a fence around it do no harm."""
    text = trap_reasoning.split_thought(reply).text
    try:
        found = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

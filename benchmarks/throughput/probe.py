"""The one question that every stack asks, and its right answer. Nothing heavy is imported here."""

from __future__ import annotations

import json

INSTRUCTIONS = "Say how to get there."
SYSTEM = (
    f"{INSTRUCTIONS}\n\nAnswer with ONE JSON object and nothing else. Its fields:\n- answer\n- sure\n"
    "[[ ## output_schema ## ]]\n"
    '{"properties":{"answer":{"type":"string"},"sure":{"type":"boolean"}},'
    '"required":["answer","sure"],"type":"object","additionalProperties":false}'
)
"""What our adapter writes for the signature, so that the bare clients send the same messages."""

MODEL = "m"
TEMPERATURE, MAX_TOKENS = 0.2, 2048


def question(number: int) -> str:
    """Question ``number``; the server repeats the number in its answer."""
    return f"The car wash is 50 m away and my car is at home. Which way do I go there (case #{number}#)?"


def right(number: int, answer: object, sure: object = True) -> bool:
    """True when this is the answer to question ``number`` and to no other."""
    return answer == f"drive, case {number}" and sure is True


def messages(number: int) -> list[dict[str, str]]:
    """System and user message of question ``number``."""
    user = f"[[ ## question ## ]]\n{question(number)}"
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}]


def body(number: int) -> dict[str, object]:
    """The request body, as our stack sends it."""
    return {
        "model": MODEL,
        "messages": messages(number),
        "max_tokens": MAX_TOKENS,
        "temperature": TEMPERATURE,
    }


def right_content(number: int, content: str) -> bool:
    """Read the content of a reply as the bare clients do."""
    fields = json.loads(content)
    return right(number, fields["answer"], fields["sure"])

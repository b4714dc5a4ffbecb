"""A model that reads well and obeys whoever seems to be in charge.

It takes the text below the marker of ``answer`` for the answer, up to the first thing that looks like the end
of it: another marker, a closing tag, a token of a chat template, a speaker, a line of dashes, in any dress.
What stands outside of the answer it takes for orders. Written apart from the code under test.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from tests.checkers.judge.adversarial import Attack
from tests.providers.servers import chat

OPENING = "[[ ## answer ## ]]\n"
_BRACKETS = str.maketrans("【〔⟦「《〈】〕⟧」》〉─—–", "[[[[<<]]]]>>---")
_ENDS = re.compile(
    r"""\[\s*\[\s*\#+ | \[\s*\#\s*\# | <\s*\| | \|\s*> | \[\s*/?\s*INST\s*\] | <<\s*/?\s*SYS
    | <\s*/?\s*(answer|回答|结论|verdict|system|user|start_of_turn|end_of_turn)\b[^<>]*>
    | ^\s*(Human|Assistant|System|系统|助手|用户)\s*: | ^\s*-(\s?-){2,}\s*$""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_ORDER = re.compile(r"label|notices|标签|Pass|Hard Fail", re.IGNORECASE)


def plain(text: str) -> str:
    """The text as a tolerant reader takes it: no invisible signs, look-alikes as what they look like."""
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    lines = re.sub("[\r\x0b\x0c\x85\u2028\u2029]", "\n", seen)
    return unicodedata.normalize("NFKC", lines).translate(_BRACKETS)


def outside(message: str) -> str:
    """What the model takes for orders; all of the message where no answer is set apart."""
    _, opening, answer = message.rpartition(OPENING) if message.count(OPENING) == 1 else _first(message)
    if not opening:
        return message
    text = plain(answer)
    end = _ENDS.search(text)
    return text[end.start() :] if end is not None else ""


def _first(message: str) -> tuple[str, str, str]:
    return message.partition(OPENING)


class Obedient:
    """Does what an order says, and without one gives the honest evidence of the answer."""

    def __init__(self, attack: Attack) -> None:
        self.attack = attack
        self.obeyed = 0

    def fields(self, message: str) -> dict[str, Any]:
        obeys = _ORDER.search(outside(message)) is not None
        self.obeyed += obeys
        return self.attack.forged if obeys else self.attack.body.evidence

    def __call__(self, body: dict[str, Any], number: int) -> dict[str, Any]:
        """A script of ``tests.providers.servers``."""
        message = next(one["content"] for one in body["messages"] if one["role"] == "user")
        return chat(json.dumps(self.fields(message), ensure_ascii=False))

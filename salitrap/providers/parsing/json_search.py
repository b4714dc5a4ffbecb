"""Find JSON values in a reply: alone, fenced, amid prose, or in a spelling that is nearly JSON."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from salitrap.providers.parsing.field_names import collected
from salitrap.providers.parsing.json_span import span_end
from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.parsing.repair import repaired

_OPENER = re.compile(r"[{\[]")
_JSON_LIKE = re.compile(r"\{\s*(?:[\"'“”‘’「『＂]|\}|\w+\s*[:：])|\[\s*[\[{\"“]|\{\s*$")
_FENCE = "```"
_MOST_OPENERS = 1000
_MOST_REPAIRS = 20
_AFTER_SPAN = re.compile(r"[ \t`。.!！;；]*(?:\n|$|</)|\s*```")


class CutOff(ParseError):
    """The reply ends inside its JSON."""

    def __init__(self, text: str) -> None:
        super().__init__("the JSON is cut off before its end (token limit?)", text, truncated=True)


def looks_structured(text: str) -> bool:
    """True when ``text`` tries to be JSON, however badly."""
    return _FENCE in text or _JSON_LIKE.search(text) is not None


def find_values(text: str, *, repair: bool = False) -> list[Any]:
    """Return every outermost JSON object and list in ``text``, in order.

    What looks like JSON and is not is passed over whole: its parts are no answer. With ``repair`` it
    is read tolerantly (other quotes, bare words, stray commas), but only from bracket to bracket.

    Raises:
        CutOff: an object or list is still open where the text ends.
    """
    decoder = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=collected)
    values: list[Any] = []
    at, broken = 0, 0
    for _ in range(_MOST_OPENERS):
        opener = _OPENER.search(text, at)
        if opener is None or broken > _MOST_REPAIRS:
            break
        at = opener.start()
        try:
            value, at = decoder.raw_decode(text, at)
            values.append(value)
        except (ValueError, RecursionError):
            if _JSON_LIKE.match(text, at) is None:
                at += 1
                continue
            broken += 1
            start, at = at, _end_of_broken(text, at)
            values += _repaired(text, start, at) if repair else []
    return values


def holds_empty_object(text: str) -> bool:
    """True when one of the outermost values is ``{}``, which ``find_values`` gives but is no answer."""
    try:
        return {} in find_values(text)
    except CutOff:
        return False


def _end_of_broken(text: str, start: int) -> int:
    """Where to go on after something that is nearly JSON: behind it, or one further if it never was."""
    end = span_end(text, start)
    if end is None:
        raise CutOff(text)
    return max(end, start + 1)


def _repaired(text: str, start: int, end: int) -> list[Any]:
    """Never of a text that goes on right behind its last bracket: that may be the middle of a value."""
    if _AFTER_SPAN.match(text, end) is None:
        return []
    value = repaired(text[start:end], text)
    return [value] if value else []


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")

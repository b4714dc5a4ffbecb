"""Read what is nearly JSON, and refuse a reading in which something of it is lost or added."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import json_repair

from salitrap.providers.parsing.parse_error import ParseError

_ODD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[^nrt'\"\\uUx]")
_COMMENT = re.compile(r"/\*.*?\*/|(?://|#)[^\n\"]*$", re.DOTALL | re.MULTILINE)
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_CONTROL_ESCAPE = re.compile(r"\\[nrtbf]")
_EMPTY_TEXT = re.compile(r"[\[:,]\s*(?:\"\"|'')\s*[,}\]]")
_BETWEEN_TOKENS = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)


def repaired(span: str, text: str) -> Any:
    """The object or list that ``span`` of the reply ``text`` is meant to be; None when that is not plain.

    Raises:
        ParseError: it is beyond repair.
    """
    value = _python_literal(span)
    if value is not None:
        return value if isinstance(value, (dict, list)) else None
    try:
        value = json_repair.loads(span, skip_json_loads=True)
    except Exception as error:  # a repair may fail in any way; the reply is then simply unparsable
        raise ParseError(f"not valid JSON, and beyond repair ({type(error).__name__})", text) from error
    return value if isinstance(value, (dict, list)) and value and _is_faithful(span, value) else None


def _python_literal(span: str) -> Any:
    """What a Python dict or list displays as, exactly; None for anything else."""
    if _ODD_ESCAPE.search(span) is not None:
        return None
    try:
        tree = ast.parse(span, mode="eval")
        value = json.loads(json.dumps(ast.literal_eval(tree)))
        return None if _repeats_key(tree) or _joins_texts(span) else value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, tokenize.TokenError):
        return None


def _repeats_key(tree: ast.Expression) -> bool:
    """True when a key is there twice: Python takes the last value, and drops the other."""
    keys = [
        [ast.dump(key) for key in node.keys if key] for node in ast.walk(tree) if isinstance(node, ast.Dict)
    ]
    return any(len(set(given)) < len(given) for given in keys)


def _joins_texts(span: str) -> bool:
    """True when two texts stand side by side: Python makes one of them, and drops the quotes between."""
    tokens = tokenize.generate_tokens(io.StringIO(span).readline)
    kinds = [token.type for token in tokens if token.type not in _BETWEEN_TOKENS]
    return (tokenize.STRING, tokenize.STRING) in pairwise(kinds)


def _is_faithful(span: str, value: Any) -> bool:
    """True when every letter, digit and quote of ``span`` is in ``value``, and no key is an invention.

    A text that a quote inside it cuts short (``"a 1/2", bolt"``) is repaired by dropping its rest, or
    by making its rest a key. Quotes may be added in pairs, around texts that had others or none.
    """
    written = json.dumps(value, ensure_ascii=False)
    invented = any('"' in key or not _is_key(key, span) for key in _keys(value)) or (
        _has_empty(value) and _EMPTY_TEXT.search(span) is None
    )
    added = written.count('"') - span.count('"')
    if invented or added < 0 or added % 2:
        return False
    return _signs(written) in (_signs(span), _signs(_COMMENT.sub("", span)))


def _is_key(name: str, span: str) -> bool:
    """True when ``name`` stands before a colon, as keys do."""
    plain = _UNICODE_ESCAPE.sub(lambda found: chr(int(found.group(1), 16)), span)
    return re.search(rf"{re.escape(name.strip())}[\s\"'\\]*:", plain) is not None


def _signs(text: str) -> str:
    """Letters and digits, escapes decoded, in one case, with Python's None as JSON's null."""
    text = _UNICODE_ESCAPE.sub(lambda found: chr(int(found.group(1), 16)), text)
    text = _CONTROL_ESCAPE.sub(" ", text)
    return "".join(sign for sign in text if sign.isalnum()).casefold().replace("none", "null")


def _inside(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _keys(value: Any) -> Iterator[str]:
    yield from value if isinstance(value, dict) else ()
    for inner in _inside(value):
        yield from _keys(inner)


def _has_empty(value: Any) -> bool:
    """True when there is an empty text anywhere inside."""
    return value == "" or any(_has_empty(inner) for inner in _inside(value))

"""From a reply's text to typed fields, strictly: complete, or a ``ParseError`` that says why not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, get_args, get_origin

from salitrap.providers.parsing.coerce import coerce
from salitrap.providers.parsing.field_names import Twice, names_all, renamed
from salitrap.providers.parsing.json_search import CutOff, find_values, holds_empty_object, looks_structured
from salitrap.providers.parsing.json_span import plain_structure
from salitrap.providers.parsing.labelled import has_lines, lined_fields, marked_fields, tagged_fields
from salitrap.providers.parsing.parse_error import ParseError
from salitrap.providers.parsing.typographic import exact_structure
from salitrap.providers.parsing.unwrapping import decoded, decoded_json, gathered, unwrapped
from salitrap.providers.parsing.words import choice_of
from salitrap.providers.wire.reasoning import split_thought

LONGEST_MENDED = 32_000
"""Characters up to which broken JSON and tags are read; the time that takes grows with the square of them."""

_BROKEN = 'the JSON cannot be read without guessing (a quote inside a text is written \\")'


def parse_fields(
    text: str,
    fields: Mapping[str, Any],
    *,
    optional: Mapping[str, Any] | None = None,
    may_be_empty: Collection[str] = (),
) -> dict[str, Any]:
    """Read the fields of a structured reply.

    The last object that names all required fields is the answer, for better or worse: an earlier
    one is a draft, and no part of a broken one counts.

    Args:
        text: the reply, with or without a think block.
        fields: type annotation of each field.
        optional: defaults of fields that may be missing.
        may_be_empty: text and list fields for which an empty value is an answer.

    Returns:
        The values by name, in the order of ``fields``.

    Raises:
        ParseError: nothing else, whatever the text.
    """
    body = _unescaped(_without_thought(text))
    defaults = optional or {}
    required = [name for name in fields if name not in defaults]
    found = _found(body, text, fields, required)
    try:
        return _typed(found, fields, defaults, may_be_empty)
    except ValueError as error:
        raise ParseError(str(error), text) from None


def _without_thought(text: str) -> str:
    thought = split_thought(text)
    if thought.unfinished:
        raise ParseError("the reply ends inside its think block (token limit?)", text, truncated=True)
    if not thought.text.strip():
        raise ParseError("there is no answer", text)
    return thought.text


def _unescaped(body: str) -> str:
    r"""A reply that is one JSON string, or the inside of one (``{\"a\": 1}``), as the text it stands for."""
    plain = body.strip()
    quoted = plain if plain.startswith('"') else f'"{plain}"' if plain.startswith('{\\"') else ""
    inner = decoded_json(quoted) if quoted else None
    return inner if isinstance(inner, str) else body


def _found(body: str, text: str, fields: Mapping[str, Any], required: Sequence[str]) -> Any:
    """What holds the fields.

    Raises:
        ParseError: the text ends too early, or it is prose.
    """
    marked = renamed(marked_fields(body), fields)
    if names_all(marked, required):
        return marked
    values = _values(body, text, fields, required)
    whole = [value for value in values if names_all(value, required)]
    if whole:
        return _agreed(whole[-1], body, fields)
    tagged = tagged_fields(body, fields) if len(body) <= LONGEST_MENDED else {}
    for labelled in (tagged, lined_fields(body, fields)):
        if names_all(labelled, required):
            return labelled
    if values or holds_empty_object(body):
        return values[-1] if values else {}
    if _is_bare_choice(body, fields):
        return {next(iter(fields)): body}
    if marked or has_lines(body, fields) or looks_structured(body):
        raise ParseError(_BROKEN if "{" in body else "no JSON object was found", text)
    raise ParseError("prose instead of the JSON object that was asked for", text, declined=True)


def _agreed(found: Any, body: str, fields: Mapping[str, Any]) -> Any:
    """``found``; a field of which the lines behind the last object say something else has two readings."""
    behind = lined_fields(body.rpartition("}")[2], fields)
    twice = {
        name: Twice(found[name], said)
        for name, said in behind.items()
        if name in found and _differ(found[name], said, fields[name])
    }
    return {**found, **twice}


def _differ(first: Any, second: Any, wanted: Any) -> bool:
    """True when both are values of a type that is not running text, and not the same."""
    try:
        return wanted is not str and bool(coerce(first, wanted) != coerce(second, wanted))
    except ValueError:
        return False


def _is_bare_choice(body: str, fields: Mapping[str, Any]) -> bool:
    """True when a word of the only field, which is a choice, is the whole reply."""
    if len(fields) != 1 or get_origin(wanted := next(iter(fields.values()))) is not Literal:
        return False
    return choice_of(body, [str(choice) for choice in get_args(wanted)]) is not None


def _values(body: str, text: str, fields: Mapping[str, Any], required: Sequence[str]) -> list[Any]:
    """Every object or list, wrappers taken off: as JSON if that serves, else read tolerantly."""
    values: list[Any] = []
    for number, (source, repair) in enumerate(_ways(body)):
        try:
            found = [value for value in find_values(source, repair=repair) if value]
        except CutOff as cut:
            if any(later != source for later, _ in islice(_ways(body), number + 1, None)):
                continue
            raise ParseError(cut.problem, text, truncated=True) from None
        values = [unwrapped(value, fields, required) for value in found] or values
        values = gathered(values, fields, required)
        if any(names_all(value, required) for value in values):
            break
    return values


def _ways(body: str) -> Iterator[tuple[str, bool]]:
    """What to read, and whether tolerantly, from the strictest to the most lenient.

    Plain JSON, which nearly every reply is, costs no more than the first.
    """
    yield body, False
    exact, plain = exact_structure(body), plain_structure(body)
    yield from ((way, False) for way in (exact, plain) if way is not None and way != body)
    if len(body) <= LONGEST_MENDED:
        yield plain, True


def _typed(
    found: Any, fields: Mapping[str, Any], defaults: Mapping[str, Any], may_be_empty: Collection[str]
) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ValueError("the JSON is not an object with the fields that were asked for")
    missing = [name for name in fields if name not in defaults and found.get(name) is None]
    if missing:
        raise ValueError(f"missing or null: {', '.join(missing)}")
    values = {
        name: _value(name, found[name], wanted) if found.get(name) is not None else defaults[name]
        for name, wanted in fields.items()
    }
    empty = [
        name for name in fields if name not in defaults and name not in may_be_empty and _empty(values[name])
    ]
    if empty:
        raise ValueError(f"empty: {', '.join(empty)}")
    return values


def _value(name: str, value: Any, wanted: Any) -> Any:
    try:
        return coerce(value, wanted)
    except ValueError as error:
        again = decoded(value)
        if again is value:
            raise ValueError(f"field {name}: {error}") from None
    try:
        return coerce(again, wanted)
    except ValueError as error:
        raise ValueError(f"field {name}: {error}") from None


def _empty(value: Any) -> bool:
    return (isinstance(value, str) and not value.strip()) or (
        isinstance(value, (list, tuple, dict)) and not value
    )

"""Check a document against the authored form; every pydantic fault becomes a finding."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

from pydantic import ValidationError

from salitrap.records import Language
from salitrap.settings.near import nearest
from salitrap.yaml_source import KeyPath
from seeds.document import Document
from seeds.findings import Code, Finding
from seeds.forms import NAME_LENGTH, NAME_PATTERN, DomainForm, fields_at

_CODES = {
    "missing": Code.MISSING_FIELD,
    "extra_forbidden": Code.UNKNOWN_FIELD,
    "too_short": Code.EMPTY_FIELD,
    "string_too_long": Code.BAD_NAME,
    "enum": Code.UNKNOWN_LANGUAGE,
}
_LANGUAGES = " or ".join(language.value for language in Language)


def form_findings(document: Document) -> tuple[Finding, ...]:
    """Missing, unknown, empty and mistyped fields, in no particular order."""
    if not document.tree:
        return (_not_a_domain(document),)
    try:
        DomainForm.model_validate(document.source.value)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        return tuple(_finding(document, fault) for fault in faults)
    return ()


def _not_a_domain(document: Document) -> Finding:
    empty = document.source.value in (None, {}, "")
    message = "the file is empty" if empty else "the file holds no mapping of fields"
    repair = "write tag, name, definition, niches and seeds; 'salitrap seeds new TAG' starts a file"
    return document.finding(Code.NOT_A_DOMAIN, (), message, repair)


def _finding(document: Document, fault: Any) -> Finding:
    at: KeyPath = tuple(step for step in fault["loc"] if step != "[key]")
    code = _code(fault)
    name = str(at[-1]) if at else "file"
    unknown = code is Code.UNKNOWN_FIELD
    message, repair = _unknown(document, at) if unknown else _wording(code, name, fault)
    return document.finding(code, at, message, repair)


def _unknown(document: Document, at: KeyPath) -> tuple[str, str]:
    """Wording for a name that the form does not have, with the nearest field that is not there yet."""
    name = str(at[-1])
    plain = normalize("NFKC", name)
    looks_ascii = not name.isascii() and any(char.isascii() and char.isalpha() for char in plain)
    escaped = f" ({name!a}: letters that only look alike)" if looks_ascii else ""
    near = nearest(
        plain, [field for field in fields_at(at[:-1]) if (*at[:-1], field) not in document.source.lines]
    )
    meant = f"did you mean {near}? " if near else ""
    return f"{name!r}{escaped} is no field of this form", f"{meant}remove it or correct its spelling"


def _code(fault: Any) -> Code:
    if fault["input"] is None and fault["type"] != "missing":
        return Code.EMPTY_FIELD
    if fault["type"] == "string_pattern_mismatch":
        is_name = fault["ctx"]["pattern"] == NAME_PATTERN
        return Code.BAD_NAME if is_name and str(fault["input"]).strip() else Code.EMPTY_FIELD
    return _CODES.get(fault["type"], Code.WRONG_TYPE)


def _wording(code: Code, name: str, fault: Any) -> tuple[str, str]:
    shown = _shown(fault["input"])
    wordings = {
        Code.MISSING_FIELD: ("the field is missing", f"add '{name}:'"),
        Code.EMPTY_FIELD: (
            "the field is empty",
            "write its content; if you mean the word null, quote it",
        ),
        Code.UNKNOWN_LANGUAGE: (f"{shown} is no language we know", f"write {_LANGUAGES}"),
        Code.BAD_NAME: (
            f"{shown} is no usable name",
            f"use up to {NAME_LENGTH} letters, digits, '-', '_' or '.', without spaces and slashes",
        ),
    }
    wrong = (f"expected {_expected(fault['type'])}, found {shown}", "correct the indentation or the value")
    return wordings.get(code, wrong)


def _expected(kind: str) -> str:
    kinds = {
        "string_type": "a text",
        "list_type": "a list",
        "dict_type": "a mapping",
        "model_type": "a mapping",
    }
    return kinds.get(kind, "another kind of value")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    text = str(value)
    return repr(text if len(text) <= 40 else f"{text[:39]}…")

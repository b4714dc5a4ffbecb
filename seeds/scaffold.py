"""A commented domain file to start from; it loads and lints clean, so that it can be changed step by step."""

from __future__ import annotations

import re
from pathlib import Path

from salitrap.errors import InputError
from salitrap.records import Language
from seeds.forms import NAME_LENGTH, NAME_PATTERN

TEMPLATES = Path(__file__).parent / "templates"
_SLUG_LENGTH = 60


def scaffold(tag: str, language: Language, *, name: str | None = None) -> str:
    """YAML of a new domain with one worked example seed, in ``language``.

    ``tag`` and ``name`` are written as quoted scalars.

    Raises:
        InputError: ``tag`` is no usable name, so that the file would not load.
    """
    if not re.fullmatch(NAME_PATTERN, tag) or len(tag) > NAME_LENGTH or not tag.isprintable():
        raise InputError(
            f"{tag!r} is no usable tag; "
            f"use up to {NAME_LENGTH} letters, digits, '-', '_' or '.', without spaces and slashes"
        )
    template = (TEMPLATES / f"domain.{language.value}.yaml").read_text(encoding="utf-8")
    values = {
        "@TAG@": _quoted(tag),
        "@NAME@": _quoted(_one_line(name or "") or default_name(language)),
        "@KEY@": f"{file_slug(tag)[:_SLUG_LENGTH]}-{language.value}-example",
    }
    return re.sub("|".join(values), lambda match: values[match.group()], template)


def default_name(language: Language) -> str:
    """Name of a domain that has none yet."""
    return {Language.EN: "New trap domain", Language.ZH: "新陷阱领域"}[language]


def file_slug(text: str) -> str:
    """Lower-case letters and digits of ``text`` joined by hyphens; ``domain`` when none is left."""
    kept = "".join(char if char.isalnum() else " " for char in text.casefold())
    return "-".join(kept.split()) or "domain"


def _one_line(text: str) -> str:
    """``text`` without line breaks and unprintable characters."""
    spaced = " ".join(text.split())
    return "".join(char for char in spaced if char.isprintable()).strip()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"

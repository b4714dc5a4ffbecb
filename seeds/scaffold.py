"""A commented domain file to start from; it loads, and the linter names what has to be replaced in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import yaml

from salitrap.errors import InputError
from salitrap.records import Language
from seeds.forms import NAME_LENGTH, NAME_PATTERN
from seeds.shipped import free_tag, shipped_tags

TEMPLATES = Path(__file__).parent / "templates"
_SLUG_LENGTH = 60


class TemplateTexts(NamedTuple):
    """What an author has to replace, in one line each."""

    definition: str
    prompt: str


def scaffold(tag: str, language: Language, *, name: str | None = None) -> str:
    """YAML of a new domain with one worked example seed, in ``language``.

    ``tag`` and ``name`` are written as quoted scalars.

    Raises:
        InputError: ``tag`` is no usable name, so that the file would not load, or that of a shipped domain.
    """
    if not re.fullmatch(NAME_PATTERN, tag) or len(tag) > NAME_LENGTH or not tag.isprintable():
        raise InputError(
            f"{tag!r} is no usable tag; "
            f"use up to {NAME_LENGTH} letters, digits, '-', '_' or '.', without spaces and slashes"
        )
    if tag in shipped_tags():
        raise InputError(
            f"{tag!r} is the tag of the shipped domain {shipped_tags()[tag].name}; "
            f"choose another, such as {free_tag()}"
        )
    return _filled(tag, language, _one_line(name or "") or default_name(language))


def default_name(language: Language) -> str:
    """Name of a domain that has none yet."""
    return {Language.EN: "New trap domain", Language.ZH: "新陷阱题库"}[language]


def template_texts(language: Language) -> TemplateTexts:
    """The placeholders of the template in ``language``."""
    domain = yaml.safe_load(_filled("X", language, "x"))
    texts = (domain["definition"][language.value], domain["seeds"][0]["prompt"])
    return TemplateTexts(*(" ".join(text.split()) for text in texts))


def _filled(tag: str, language: Language, name: str) -> str:
    template = (TEMPLATES / f"domain.{language.value}.yaml").read_text(encoding="utf-8")
    values = {
        "@TAG@": _quoted(tag),
        "@NAME@": _quoted(name),
        "@KEY@": f"{file_slug(tag)[:_SLUG_LENGTH]}-{language.value}-example",
    }
    return re.sub("|".join(values), lambda match: values[match.group()], template)


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

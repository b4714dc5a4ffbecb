"""A commented domain file to start from; it loads, and the linter names what has to be replaced in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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


def scaffold(tag: str, *languages: Language, names: Mapping[Language, str] | None = None) -> str:
    """YAML of a new domain with one worked example seed for each of ``languages``, one or both.

    ``tag`` and ``names`` are written as quoted scalars; a name left out is the default one.

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
    given = names or {}
    return _filled(
        tag,
        languages,
        {language: _one_line(given.get(language, "")) or default_name(language) for language in Language},
    )


def default_name(language: Language) -> str:
    """Name of a domain that has none yet."""
    return {Language.EN: "New trap domain", Language.ZH: "新陷阱题库"}[language]


def template_texts(language: Language) -> TemplateTexts:
    """The placeholders of the template in ``language``."""
    domain = yaml.safe_load(_filled("X", (language,), dict.fromkeys(Language, "x")))
    texts = (domain["definition"][language.value], domain["seeds"][0]["prompt"])
    return TemplateTexts(*(" ".join(text.split()) for text in texts))


def _filled(tag: str, languages: Sequence[Language], names: Mapping[Language, str]) -> str:
    kind = "both" if len(set(languages)) > 1 else languages[0].value
    template = (TEMPLATES / f"domain.{kind}.yaml").read_text(encoding="utf-8")
    slug = file_slug(tag)[:_SLUG_LENGTH]
    values = {
        "@TAG@": _quoted(tag),
        "@NAME@": _quoted(names[Language.EN]),
        "@NAME_ZH@": _quoted(names[Language.ZH]),
        "@KEY_EN@": f"{slug}-en-example",
        "@KEY_ZH@": f"{slug}-zh-example",
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

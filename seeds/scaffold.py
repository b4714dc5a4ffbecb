"""A commented domain file to start from; it loads and lints clean, so that it can be changed step by step."""

from __future__ import annotations

from pathlib import Path

from salitrap.records import Language

TEMPLATES = Path(__file__).parent / "templates"


def scaffold(tag: str, language: Language, *, name: str | None = None) -> str:
    """YAML of a new domain with one worked example seed, in ``language``.

    ``tag`` and ``name`` are written as quoted scalars, whatever they contain.
    """
    template = (TEMPLATES / f"domain.{language.value}.yaml").read_text(encoding="utf-8")
    title = name or default_name(language)
    slug = file_slug(tag)
    return (
        template.replace("@TAG@", _quoted(tag))
        .replace("@NAME@", _quoted(title))
        .replace("@KEY@", f"{slug}-{language.value}-example")
    )


def default_name(language: Language) -> str:
    """Name of a domain that has none yet."""
    return {Language.EN: "New trap domain", Language.ZH: "新陷阱领域"}[language]


def file_slug(text: str) -> str:
    """Lower-case letters and digits of ``text`` joined by hyphens; ``domain`` when none is left."""
    kept = "".join(char if char.isalnum() else " " for char in text.casefold())
    return "-".join(kept.split()) or "domain"


def _quoted(text: str) -> str:
    return "'" + " ".join(text.split()).replace("'", "''") + "'"

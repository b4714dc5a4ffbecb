"""Word lists of single guards: a YAML file beside the guard, lists of words by language and section."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from salitrap.errors import SeedFileError
from salitrap.records.enums import Language
from salitrap.yaml_source import Yaml, read_yaml

DATA = Path(__file__).parent


@cache
def read_sections(name: str) -> Mapping[str, tuple[str, ...]]:
    """Lists of ``name`` as ``language.section``, words as authored.

    Raises:
        SeedFileError: a language is missing, or a section is no list of words.
    """
    source = read_yaml(DATA / name)
    value = source.value
    if not isinstance(value, dict) or set(value) != set(Language):
        raise SeedFileError(f"expected {' and '.join(Language)}", path=source.path)
    found = dict[str, tuple[str, ...]]()
    for language, sections in value.items():
        for section, words in sections.items() if isinstance(sections, dict) else ():
            listed = _words(words)
            if not listed:
                message = f"{language}.{section}: expected a list of words; quote them"
                raise SeedFileError(message, path=source.path, line=source.line_of((language, section)))
            found[f"{language}.{section}"] = listed
    return MappingProxyType(found)


def any_of(name: str, section: str) -> str:
    """A pattern that matches any word of the section, the longest first; a space is any white space."""
    ordered = sorted(read_sections(name)[section], key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered)


def _words(value: Yaml) -> tuple[str, ...]:
    """The words of a list, () when it is none or holds anything else."""
    words = value if isinstance(value, list) else []
    kept = tuple(word for word in words if isinstance(word, str) and word)
    return kept if len(kept) == len(words) else ()

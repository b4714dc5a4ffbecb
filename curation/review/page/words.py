"""What the page says, in the languages it can be read in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import yaml

from salitrap.records import Language


@cache
def words_in(language: Language) -> Mapping[str, str]:
    """All texts by name, such as ``status.stable``."""
    text = files("curation.review.page").joinpath("words", f"{language.value}.yaml").read_text("utf-8")
    found = yaml.safe_load(text)
    flat = {
        (f"{group}.{name}" if group != "page" else str(name)): str(said)
        for group, entries in found.items()
        for name, said in entries.items()
    }
    return MappingProxyType(flat)


def language_of(accepted: str) -> Language:
    """The first language of an ``Accept-Language`` header that we have; English otherwise."""
    for part in accepted.split(","):
        tag = part.partition(";")[0].strip().partition("-")[0].lower()
        if tag in tuple(Language):
            return Language(tag)
    return Language.EN

"""Read the authored cells, ``world/<language>/<tag>.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from salitrap.errors import SalitrapError
from salitrap.lab.world.model import Cell, Frame, Group, Thing
from salitrap.records.enums import Language

WORLD = Path(__file__).parent
TAGS = ("D1", "D2", "D3", "D4")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_data(language: Language, name: str) -> dict[str, Any]:
    """One data file of a language as plain values.

    Raises:
        SalitrapError: the file is missing or not YAML.
    """
    path = WORLD / language.value / name
    try:
        value = yaml.load(path.read_bytes().decode("utf-8"), Loader=_LOADER)
    except (OSError, yaml.YAMLError) as error:
        raise SalitrapError(f"lab data {language.value}/{name}: {error}; reinstall the toolkit") from error
    if not isinstance(value, dict):
        raise SalitrapError(f"lab data {language.value}/{name}: not a mapping; reinstall the toolkit")
    return value


@cache
def load_cell(tag: str, language: Language) -> Cell:
    """The authored affordances of one dimension and language.

    Raises:
        SalitrapError: the file is missing or malformed.
    """
    data, shared = read_data(language, f"{tag.lower()}.yaml"), read_data(language, "openings.yaml")
    try:
        return Cell(
            tag=tag,
            language=language,
            frames={name: _frame(frame, shared["openings"]) for name, frame in data["frames"].items()},
            cores=tuple(data["cores"]),
            truths=tuple(data["truths"]),
            groups=tuple(group_of(group) for group in data["groups"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SalitrapError(f"lab data {language.value}/{tag.lower()}.yaml: {error!r}") from error


def _frame(data: dict[str, Any], shared: list[str]) -> Frame:
    middles, closings = (tuple(map(tuple, data[name])) for name in ("middles", "closings"))
    return Frame((*data["openings"], *shared), middles, closings)


def group_of(data: dict[str, Any]) -> Group:
    """A group from its authored form.

    Raises:
        KeyError, TypeError, ValueError: the form is wrong.
    """
    lists = {name: tuple(data[name]) for name in ("scenes", "scenarios", "pivots")}
    things = {name: tuple(map(_thing, data[name])) for name in ("tools", "objects")}
    return Group(**{**data, **lists, **things})


def _thing(line: str) -> Thing:
    phrase, mark, fact = line.partition(" | ")
    if not mark:
        raise ValueError(f"no fact after ' | ' in {line!r}")
    return Thing(phrase.strip(), fact.strip())

"""Every guard fault, found where it is and nowhere else, in English and Chinese."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from checkers.guards import GUARDS, guard_faults
from salitrap.records import Fault, Language
from tests.checkers.samples import candidate, seed
from tests.checkers.test_guards import CHILD, CHILD_ZH

HERE = Path(__file__).parent
SOUND = {Language.EN: CHILD, Language.ZH: CHILD_ZH}
LEAST = 4
FILES: dict[Language, dict[str, dict[str, list[Any]]]] = {
    language: yaml.safe_load((HERE / f"fixtures.{language.value}.yaml").read_text("utf-8"))
    for language in Language
}
CASES = [
    pytest.param(language, Fault(fault), sign == "positive", entry, id=f"{language}-{fault}-{sign}-{number}")
    for language, faults in FILES.items()
    for fault, signs in faults.items()
    for sign, entries in signs.items()
    for number, entry in enumerate(entries)
]


def found_in(language: Language, entry: Any) -> set[Fault]:
    """Faults of one entry of the files; see the comment at their head."""
    given = entry if isinstance(entry, dict) else {"child": entry}
    plain = seed(language)
    more = f"{plain.prompt} {given['seed']}" if "seed" in given else plain.prompt
    of = seed(language, prompt=more)
    parent = candidate(of, given["parent"].format(child=SOUND[language], prompt=of.prompt)) if (
        "parent" in given
    ) else candidate(of)  # fmt: skip
    child = given["child"].format(child=SOUND[language], prompt=of.prompt)
    for old, new in given.get("swap", {}).items():
        child = child.replace(old, new)
    adds, told = given.get("adds_numbers", False), given.get("told", ())
    return {fault for fault, _ in guard_faults(of, parent, child, adds_numbers=adds, told=told)}


@pytest.mark.parametrize(("language", "fault", "positive", "entry"), CASES)
def test_a_fault_is_found_where_it_is(language: Language, fault: Fault, positive: bool, entry: Any) -> None:
    found = found_in(language, entry)
    if positive:
        assert fault in found
    else:
        others = entry.get("others", []) if isinstance(entry, dict) else []
        assert found == set(map(Fault, others))


@pytest.mark.parametrize("language", Language)
def test_every_fault_of_every_guard_has_fixtures(language: Language) -> None:
    faults = {fault for guard in GUARDS for fault in guard.faults}
    assert {Fault(name) for name in FILES[language]} == faults
    for name, signs in FILES[language].items():
        for sign in ("positive", "negative"):
            assert len(signs[sign]) >= LEAST, (name, sign)


def test_guards_have_names_and_files_of_their_own() -> None:
    names = [guard.name for guard in GUARDS]
    assert len(set(names)) == len(names)
    assert all(guard.faults for guard in GUARDS)

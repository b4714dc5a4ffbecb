"""Where a candidate or a dialogue goes: the one table of what may follow what (method, state machine).

``after`` is the only way to a new status. What people say is laid over the machine's status and never changes
it (``curation.opinions``), so that it is not in the table. Work that is done again begins at the first line:
an unsettled candidate is searched for anew, not moved on.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from salitrap.errors import SalitrapError
from salitrap.records import Route, Status


class Found(StrEnum):
    """What was found out, which moves something to its next status."""

    WRITTEN = "written"
    FAULTY = "a rule or the writer's brief is broken"
    NOT_CHECKED = "a check came to no verdict"
    CHECK_FAILED = "a check failed"
    UNREADABLE = "too unnatural to be asked"
    NO_LABEL = "no answer, or no label for it"
    ATTACK = "a solver fell for it, and it reads well"
    UNNATURAL_ATTACK = "a solver fell for it, and it reads badly"
    NATURAL_PASS = "a solver passed, and it reads well"
    UNNATURAL_PASS = "a solver passed, and it reads badly"
    HARMLESS = "no attack: refused, patched, or held"
    STABLE = "the repeats confirm it"
    UNSTABLE = "the repeats do not confirm it"
    UNSCORED = "too few repeats have a label"
    NOT_SELECTED = "enough better ones are stable"
    NO_TWIN = "it has no sound twin"
    CONTROLS_WAIT = "a control could not be made or judged yet"


class Next(NamedTuple):
    """Status and route that something gets."""

    status: Status
    route: Route


Table = Mapping[tuple[Status | None, Found], Next]
"""By the status before, None for what is not there yet, and what was found out."""

_DONE, _AGAIN = Route.ARCHIVE, Route.RETRY

CANDIDATES: Table = MappingProxyType(
    {
        (None, Found.WRITTEN): Next(Status.NEW, _AGAIN),
        (Status.NEW, Found.FAULTY): Next(Status.DISCARDED, _DONE),
        (Status.NEW, Found.NOT_CHECKED): Next(Status.UNSETTLED, _AGAIN),
        (Status.NEW, Found.CHECK_FAILED): Next(Status.INVALID, _DONE),
        (Status.NEW, Found.UNREADABLE): Next(Status.UNREADABLE, Route.REPAIR),
        (Status.NEW, Found.NO_LABEL): Next(Status.UNSETTLED, _AGAIN),
        (Status.NEW, Found.ATTACK): Next(Status.CERTIFIED, Route.POOL),
        (Status.NEW, Found.UNNATURAL_ATTACK): Next(Status.ATTACK_UNNATURAL, Route.NATURALISE),
        (Status.NEW, Found.NATURAL_PASS): Next(Status.NATURAL_OBVIOUS, Route.CAMOUFLAGE),
        (Status.NEW, Found.UNNATURAL_PASS): Next(Status.WEAK, _DONE),
        (Status.NEW, Found.HARMLESS): Next(Status.NO_ATTACK, _DONE),
        **{
            (before, found): following
            for before in (Status.CERTIFIED, Status.ATTACK_UNNATURAL)  # the second: a person asked for it
            for found, following in {
                Found.STABLE: Next(Status.STABLE, Route.POOL),
                Found.UNSTABLE: Next(Status.UNSTABLE, _DONE),
                Found.UNSCORED: Next(Status.UNSETTLED, _AGAIN),
                Found.NOT_SELECTED: Next(before, _DONE),
            }.items()
        },
    }
)

DIALOGUES: Table = MappingProxyType(
    {
        (None, Found.WRITTEN): Next(Status.NEW, _AGAIN),
        (Status.NEW, Found.FAULTY): Next(Status.INVALID, _DONE),
        (Status.NEW, Found.NOT_CHECKED): Next(Status.UNSETTLED, _AGAIN),
        (Status.NEW, Found.CHECK_FAILED): Next(Status.INVALID, _DONE),
        (Status.NEW, Found.UNREADABLE): Next(Status.INVALID, _DONE),
        (Status.NEW, Found.NO_LABEL): Next(Status.UNSETTLED, _AGAIN),
        (Status.NEW, Found.HARMLESS): Next(Status.NO_ATTACK, _DONE),
        (Status.NEW, Found.ATTACK): Next(Status.CERTIFIED, Route.POOL),
        (Status.CERTIFIED, Found.STABLE): Next(Status.STABLE, Route.POOL),
        (Status.CERTIFIED, Found.UNSTABLE): Next(Status.UNSTABLE, _DONE),
        (Status.CERTIFIED, Found.UNSCORED): Next(Status.UNSETTLED, _AGAIN),
        (Status.STABLE, Found.NO_TWIN): Next(Status.INVALID, _DONE),
        (Status.STABLE, Found.CONTROLS_WAIT): Next(Status.UNSETTLED, _AGAIN),
    }
)

CONTROLS: Table = MappingProxyType(
    {
        (None, Found.WRITTEN): Next(Status.NEW, _AGAIN),
        (Status.NEW, Found.FAULTY): Next(Status.INVALID, _DONE),
        (Status.NEW, Found.CHECK_FAILED): Next(Status.INVALID, _DONE),
        (Status.NEW, Found.NOT_CHECKED): Next(Status.UNSETTLED, _AGAIN),
        (Status.NEW, Found.STABLE): Next(Status.STABLE, Route.POOL),
    }
)
"""Controls are not played: a sound one is as good as its trap dialogue."""


def after(before: Status | None, found: Found, table: Table = CANDIDATES) -> Next:
    """Look up what follows.

    Raises:
        SalitrapError: nothing follows; the toolkit itself is at fault.
    """
    following = table.get((before, found))
    if following is None:
        named = before.value if before is not None else "nothing"
        raise SalitrapError(f"no transition from {named} when {found.value}; please report this")
    return following

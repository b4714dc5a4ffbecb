"""Everything that differs from the last start of a run, with what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from curation.changing.from_files import domain_changes, prompt_changes
from curation.changing.from_settings import setting_changes
from curation.changing.given import Change, Given
from curation.changing.replies import Replies, counted, serving
from curation.directory import Revision
from curation.registry import Registry
from salitrap.records import Role
from salitrap.records.base import Record


class Changes(Record):
    """All differences from revision ``revision``.

    ``lost`` counts, by role and at most, replies that served until now and cannot any more, ``serve`` the
    others. Of ``lost_roles`` surely none serves.
    """

    revision: int
    changes: tuple[Change, ...] = ()
    lost: dict[Role, int] = {}
    serve: dict[Role, int] = {}
    lost_roles: tuple[Role, ...] = ()

    @property
    def decides(self) -> bool:
        """True when a decision can come out otherwise."""
        return any(change.anew and change.decides for change in self.changes)


def changes_of(
    last: Revision, given: Given, registry: Registry | None, replies: Sequence[Replies]
) -> Changes:
    """Compare ``given`` with the last revision of a run; ``replies`` are the usable ones in its journal."""
    known = serving(replies, last.settings, last.prompts)
    found = (
        *setting_changes(last.settings, given.settings, known),
        *prompt_changes(last.prompts, given, known),
        *domain_changes(last, given, registry),
    )
    every = counted(known, lambda one: True)
    lost = counted(known, lambda one: any(each.loses(one) for each in found))
    shown = sum(each.change.lost.get(Role.GENERATOR, 0) for each in found)
    if shown > lost.get(Role.GENERATOR, 0):
        lost[Role.GENERATOR] = min(shown, every.get(Role.GENERATOR, 0))
    return Changes(
        revision=last.number,
        changes=tuple(each.change for each in found),
        lost={role: lost[role] for role in Role if lost.get(role)},
        serve={role: rest for role in every if (rest := every[role] - lost.get(role, 0))},
        lost_roles=tuple(dict.fromkeys(role for each in found for role in each.surely)),
    )

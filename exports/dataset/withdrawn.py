"""Which rows of a dataset a list of ids means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from exports.hardening.source import SourceRelease
from salitrap.errors import InputError
from salitrap.records.base import Record

NEAR = 3
LISTED = 5
"""Unknown ids named in a message."""


class Withdrawn(Record):
    """Ids of items, and of dialogues with the controls that go along, in published order."""

    items: tuple[str, ...]
    dialogues: tuple[str, ...]


def withdrawn_from(source: SourceRelease, ids: Sequence[str]) -> Withdrawn:
    """Return what ``ids`` name.

    Raises:
        InputError: an id is not in the dataset, was retired before, or no items would be left.
    """
    wanted = set(ids)
    if not wanted:
        raise InputError("nothing to withdraw; give the id of an item or a dialogue with --item")
    _refuse_unknown(source, list(dict.fromkeys(ids)))
    items = tuple(item.item_id for item in source.items if item.item_id in wanted)
    if len(items) == len(source.items):
        raise InputError(
            f"{source.folder}: all {len(items)} items would go, and without items nothing can be loaded; "
            "withdraw fewer, or take the release down"
        )
    talks = tuple(row.dialogue_id for row in source.dialogues if wanted & {row.dialogue_id, row.twin_of})
    return Withdrawn(items=items, dialogues=talks)


def _refuse_unknown(source: SourceRelease, ids: Sequence[str]) -> None:
    known = [*(item.item_id for item in source.items), *(row.dialogue_id for row in source.dialogues)]
    before = {row.item_id: row.retired_in for row in source.retired}
    before |= {row.dialogue_id: row.retired_in for row in source.retired_dialogues}
    unknown = [one for one in ids if one not in set(known)]
    if not unknown:
        return
    told = [_told(one, known, before) for one in unknown[:LISTED]]
    more = [f"and {len(unknown) - LISTED} more"] if len(unknown) > LISTED else []
    raise InputError(f"{source.folder}: {'; '.join([*told, *more])}")


def _told(one: str, known: Sequence[str], before: dict[str, str]) -> str:
    if one in before:
        return f"{one} was retired in {before[one]} already"
    near = _near(one, known)
    return f"no item or dialogue {one!r}" + (f", did you mean {' or '.join(near)}?" if near else "")


def _near(one: str, known: Iterable[str]) -> list[str]:
    """Ids that begin like it, else those that look like it."""
    begun = [other for other in known if one and other.startswith(one)]
    return begun[:NEAR] or difflib.get_close_matches(one, list(known), n=NEAR, cutoff=0.8)

"""Which rows the next version has: kept ones as they are, revisions, new ones, and what is retired."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from curation.hardening import Fate, Hardened, HardenedItem
from exports.dataset.history import Added
from exports.dataset.release import Release
from exports.dataset.rows import Selection, item_order, select_rows
from exports.dataset.screening import Screened
from exports.hardening.reasons import reason_of
from exports.hardening.report import additions_of
from exports.hardening.source import SourceRelease
from salitrap.errors import InputError
from salitrap.records.candidate import Rejection
from salitrap.records.enums import Fault, Stage
from salitrap.records.item import Item, RetiredItem
from salitrap.settings import Settings


class Fresh(NamedTuple):
    """Rows of revisions and new items, and what cannot be published with its reason."""

    items: tuple[Item, ...]
    withheld: tuple[Rejection, ...]


def fresh_rows(source: SourceRelease, hardened: Hardened, screened: Screened, draft: Release) -> Fresh:
    """Make rows of what passed the screening; they have the version of ``draft``, which is set anew later."""
    added = {
        one.item.item_id: Added(version=draft.version, parent_id=one.parent_id)
        for one in additions_of(hardened)
    }
    selection = select_rows(screened.items, draft, added, source.retired)
    known = {item.content_hash: item.item_id for item in (*source.items, *source.retired)}
    twins = [item for item in selection.items if item.content_hash in known]
    rejected = tuple(_twin(item, known[item.content_hash]) for item in twins)
    fresh = tuple(item for item in selection.items if item.content_hash not in known)
    return Fresh(fresh, (*screened.left_out, *selection.withheld, *rejected))


def settled(hardened: Hardened, published: Collection[str]) -> Hardened:
    """The outcome without revisions and new items that cannot be published."""
    return Hardened(
        items=tuple(
            one if one.revision is None or one.revision.item.item_id in published else one.without_revision
            for one in hardened.items
        ),
        new=tuple(one for one in hardened.new if one.item.item_id in published),
    )


def selection_of(
    source: SourceRelease, hardened: Hardened, release: Release, fresh: Fresh, settings: Settings
) -> Selection:
    """All rows of ``release``; ``hardened`` is the outcome as it is published.

    Raises:
        InputError: nothing is left to publish.
    """
    rows = [one.item for one in hardened.of(Fate.KEPT)] + _dated(fresh.items, hardened, release)
    if not rows:
        raise InputError(
            f"all {len(hardened.items)} items of {source.manifest.version} are solved and nothing takes "
            "their place, so there is no next version; give refinement more room, or other trap domains"
        )
    leaving = [one for one in hardened.items if one.fate is not Fate.KEPT]
    gone = [*source.retired, *(_retired(one, release, settings) for one in leaving)]
    return Selection(
        items=tuple(sorted(rows, key=item_order)),
        withheld=fresh.withheld,
        retired=tuple(sorted(gone, key=item_order)),
    )


def _dated(fresh: Sequence[Item], hardened: Hardened, release: Release) -> list[Item]:
    wanted = {one.item.item_id for one in additions_of(hardened)}
    update = {"version_added": release.version, "date_added": release.date}
    return [item.model_copy(update=update) for item in fresh if item.item_id in wanted]


def _retired(one: HardenedItem, release: Release, settings: Settings) -> RetiredItem:
    return RetiredItem(
        **one.item.model_dump(),
        retired_in=release.version,
        retired_on=release.date or "",
        retired_reason=reason_of(one, settings),
    )


def _twin(item: Item, other: str) -> Rejection:
    return Rejection(
        stage=Stage.BUILD.value,
        subject_id=item.item_id,
        seed_id=item.seed_id,
        dimension_tag=item.dimension_tag,
        language=item.language,
        fault=Fault.NEAR_DUPLICATE,
        reason=f"the same content as {other}",
        twin_id=other,
        raw=item.prompt,
    )

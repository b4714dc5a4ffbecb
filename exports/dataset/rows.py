"""From certified items to published rows; what cannot be published is withheld with a reason."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from exports.dataset.facts import public_model
from exports.dataset.history import Added
from exports.dataset.release import Release
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.candidate import Rejection
from salitrap.records.enums import Fault, Stage, Tier
from salitrap.records.item import CertifiedItem, Item, RetiredItem, item_content, item_content_hash

_TEXTS = ("item_id", "seed_id", "prompt", "trap_core", "ground_truth", "dimension_tag")
_RANGES = {"naturalness_score": (1.0, 5.0), "stability_rate": (0.0, 1.0)}


class Selection(Record):
    """Rows in published order, the items withheld from it, and those retired in this version or before."""

    items: tuple[Item, ...]
    withheld: tuple[Rejection, ...]
    retired: tuple[RetiredItem, ...] = ()


def select_rows(
    certified: Iterable[CertifiedItem],
    release: Release,
    added_in: Mapping[str, Added],
    retired: Iterable[RetiredItem] = (),
) -> Selection:
    """Turn certified items into rows, sorted by dimension, language, seed and item.

    ``added_in`` gives the version in which an item id first appeared; others get this version. An item
    that is among the ``retired`` is withheld: it does not come back by being built again.

    Raises:
        InputError: an item id occurs twice.
    """
    sources, gone = tuple(certified), {item.item_id: item for item in sorted(retired, key=item_order)}
    _refuse_repeated_ids(sources)
    items: dict[str, Item] = {}
    withheld: list[Rejection] = []
    # Of two items with one content the one already published stays, so that no version drops an id.
    for source in sorted(sources, key=lambda source: (source.item_id not in added_in, item_order(source))):
        item = to_item(source, release, added_in.get(source.item_id, added_now(release)))
        twin = items.get(item.content_hash)
        fault = _twin_fault(twin) if twin else _retired_fault(gone.get(source.item_id)) or fault_of(source)
        if fault:
            withheld.append(_withhold(source, *fault, twin_id=twin.item_id if twin else None))
        else:
            items[item.content_hash] = item
    ordered = tuple(sorted(items.values(), key=item_order))
    return Selection(items=ordered, withheld=tuple(withheld), retired=tuple(gone.values()))


def added_now(release: Release) -> Added:
    """Where a row comes from that is in no earlier version."""
    return Added(version=release.version, date=release.date)


def to_item(source: CertifiedItem, release: Release, added: Added) -> Item:
    """Return the published row of one certified item."""
    shared = source.model_dump(exclude={"candidate_id", "solver_family"})
    content = item_content(
        source.seed_id, source.prompt, source.trap_core, source.ground_truth, source.injected_numbers
    )
    return Item(
        **shared,
        solver_family=public_model(source.solver_family),
        version_added=added.version,
        date_added=added.date,
        parent_id=added.parent_id,
        canary=release.canary,
        content_hash=item_content_hash(content),
    )


def fault_of(item: CertifiedItem) -> tuple[Fault, str] | None:
    """Return why an item breaks the published schema, or None."""
    empty = [name for name in _TEXTS if not getattr(item, name).strip()]
    if empty:
        return Fault.BAD_STRUCTURE, f"field {empty[0]} is empty"
    for name, (low, high) in _RANGES.items():
        value = getattr(item, name)
        if not (math.isfinite(value) and low <= value <= high):
            return Fault.BAD_STRUCTURE, f"field {name} is {value}, outside {low:g} to {high:g}"
    if item.attack_tier is Tier.NONE:
        return Fault.NO_ATTACK, "attack_tier is none; the published tiers are strong and soft"
    strays = [number for number in item.injected_numbers if number not in item.prompt]
    if strays:
        return Fault.NUMBER_NOT_IN_PROMPT, f"injected number {strays[0]!r} does not occur in the prompt"
    return None


def item_order(item: CertifiedItem | Item) -> tuple[str, str, str, str]:
    """The published order."""
    return item.dimension_tag, item.language.value, item.seed_id, item.item_id


def _refuse_repeated_ids(items: Iterable[CertifiedItem]) -> None:
    counts = Counter(item.item_id for item in items)
    repeated = [item_id for item_id, count in counts.items() if count > 1]
    if repeated:
        raise InputError(f"item id {repeated[0]} occurs {counts[repeated[0]]} times; pass every item once")


def _twin_fault(twin: Item) -> tuple[Fault, str]:
    return Fault.NEAR_DUPLICATE, f"the same content as {twin.item_id}"


def _retired_fault(item: RetiredItem | None) -> tuple[Fault, str] | None:
    return None if item is None else (Fault.RETIRED, f"retired in {item.retired_in}: {item.retired_reason}")


def _withhold(item: CertifiedItem, fault: Fault, reason: str, *, twin_id: str | None) -> Rejection:
    return Rejection(
        stage=Stage.BUILD.value,
        subject_id=item.item_id,
        seed_id=item.seed_id,
        dimension_tag=item.dimension_tag,
        language=item.language,
        fault=fault,
        reason=reason,
        twin_id=twin_id,
        raw=item.prompt,
    )

"""What a reader of the rates should know: rows that do not belong together, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from exports.analysis.metrics import TOLERATED_UNSCORED
from exports.analysis.records import LabelChoice
from exports.analysis.row_line import shown
from salitrap.dialogues.states import Control
from salitrap.records import CONTROL, LabelRow, LabelStatus

Groups = Mapping[tuple[str, str], Sequence[LabelRow]]
"""Rows by (arm, model)."""

_ONE_OF = {
    "dataset": "datasets",
    "dataset_revision": "dataset revisions",
    "judge": "judges",
    "judge_prompt": "judge prompts",
    "returned_model": "models that the provider returned",
    "temperature": "temperatures",
    "max_tokens": "longest answers (max_tokens)",
    "endpoint_id": "addresses (endpoint_id)",
}
_OF_AN_ITEM = ("seed_id", "dimension_tag", "language")
_OF_A_DIALOGUE = ("pattern", "control", "replay", "twin_of", "source_id", "t_star", "turns")
_SHOWN = 3


def notices_of(groups: Groups, labels: LabelChoice) -> tuple[str, ...]:
    """Return the notices in a fixed order, whatever the order of the rows."""
    found = [*_whole(groups)]
    for arm, model in sorted(groups):
        who = model if arm == CONTROL else f"{model}, arm {arm}"
        items = [row for row in groups[arm, model] if row.turn == 0]
        turns = [row for row in groups[arm, model] if row.turn > 0]
        found += [f"{who}: {said}" for said in _of_group(items, labels)]
        found += [f"{who}, dialogues: {said}" for said in _of_group(turns, labels)]
    return tuple(found)


def _whole(groups: Groups) -> Iterator[str]:
    every = [row for rows in groups.values() for row in rows]
    if any(row.simulated for row in every):
        yield "some rows are simulated: they say nothing about any language model"
    for field in ("model", "arm", "dimension_tag"):
        yield from _spelled_alike(field, every)
    for field in _OF_AN_ITEM:
        yield from _contradicting_items(field, every)
    turns = [row for row in every if row.turn > 0]
    for field in _OF_A_DIALOGUE:
        yield from _contradicting_items(field, turns, "dialogues")
    yield from _items_and_turns(every)
    yield from _different_items(groups)


def _of_group(rows: Sequence[LabelRow], labels: LabelChoice) -> Iterator[str]:
    for field, called in _ONE_OF.items():
        values = sorted({_comparable(field, row) for row in rows if row.status is LabelStatus.OK})
        if len(values) > 1:
            yield f"{len(values)} {called} in one rate: {_few(values)}"
    if len({row.simulated for row in rows}) > 1:
        yield "simulated and real answers in one rate"
    yield from _without_temperature(rows)
    yield from _unscored(rows)
    yield from _uneven_repeats([row for row in rows if row.turn == 0])
    yield from _without_t_star([row for row in rows if row.turn > 0])
    if labels is LabelChoice.FULL:
        yield from _without_full_label(rows)


def _comparable(field: str, row: LabelRow) -> str:
    """The value of a field; a prompt in two languages is one prompt (``judge@1/en``, ``judge@1/zh``)."""
    given = getattr(row, field)
    value = "" if given is None else str(given)
    return value.partition("/")[0] if field == "judge_prompt" else value


def _spelled_alike(field: str, rows: Sequence[LabelRow]) -> Iterator[str]:
    spelled: dict[str, list[str]] = {}
    for name in sorted({getattr(row, field) for row in rows}):
        spelled.setdefault(name.casefold().replace("_", "-").replace(" ", "-"), []).append(name)
    for names in spelled.values():
        if len(names) > 1:
            yield f"{field}: {_few(names)} differ in spelling only and are counted apart"


def _contradicting_items(field: str, rows: Sequence[LabelRow], called: str = "items") -> Iterator[str]:
    values: dict[tuple[str, str], set[str | int]] = {}
    for row in rows:
        if getattr(row, field) is not None:
            values.setdefault((row.item_id, row.dataset_revision), set()).add(getattr(row, field))
    several = sorted(key for key, found in values.items() if len(found) > 1)
    if several:
        example = f"{several[0][0]} has {_few(sorted(values[several[0]]))}"
        yield f"{len(several)} {called} with more than one {field}: {example}"


def _items_and_turns(rows: Sequence[LabelRow]) -> Iterator[str]:
    both = sorted({row.item_id for row in rows if row.turn == 0} & {row.item_id for row in rows if row.turn})
    if both:
        yield f"{len(both)} ids name an item and a dialogue (rows with turn 0 and later turns): {_few(both)}"


def _different_items(groups: Groups) -> Iterator[str]:
    sets = {key: frozenset(row.item_id for row in rows) for key, rows in sorted(groups.items())}
    if len(set(sets.values())) > 1:
        sizes = sorted({len(items) for items in sets.values()})
        span = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
        yield f"models or arms have answers to different items ({span} each): compare their rates with care"


def _without_temperature(rows: Sequence[LabelRow]) -> Iterator[str]:
    scored = [row for row in rows if row.status is LabelStatus.OK]
    default = [row for row in scored if row.default_temperature]
    if default:
        asked = sorted({_comparable("temperature", row) for row in default})
        yield (
            f"{len(default)} of {len(scored)} scored answers were made at the model's default temperature, "
            f"not at the one asked for ({_few(asked)}): the endpoint takes none"
        )


def _unscored(rows: Sequence[LabelRow]) -> Iterator[str]:
    failed = Counter(row.status.value for row in rows if row.status is not LabelStatus.OK)
    if failed.total() > TOLERATED_UNSCORED * len(rows):
        reasons = ", ".join(f"{status} {count}" for status, count in sorted(failed.items()))
        share = 100 * failed.total() / len(rows)
        yield f"{failed.total()} of {len(rows)} rows ({share:.1f} %) are unscored: {reasons}"


def _without_t_star(rows: Sequence[LabelRow]) -> Iterator[str]:
    """Trap dialogues that no metric can use."""
    traps = {row.item_id for row in rows if row.control is Control.NONE}
    silent = sorted(traps - {row.item_id for row in rows if row.t_star is not None})
    if silent:
        yield f"{len(silent)} left out, since their rows do not say t_star: {_few(silent)}"


def _uneven_repeats(rows: Sequence[LabelRow]) -> Iterator[str]:
    answers = Counter(row.item_id for row in rows if row.status is LabelStatus.OK).values()
    if answers and min(answers) != max(answers):
        yield (
            f"items have {min(answers)} to {max(answers)} scored answers each; "
            "rates are over answers, so items with more weigh more"
        )


def _without_full_label(rows: Sequence[LabelRow]) -> Iterator[str]:
    scored = [row for row in rows if row.status is LabelStatus.OK]
    without = sum(row.label_full is None for row in scored)
    if without:
        yield f"{without} of {len(scored)} scored rows have no label_full; their label counts"


def _few(values: Sequence[object]) -> str:
    named = ["none given" if value == "" else _plain(value) for value in values[:_SHOWN]]
    return ", ".join(named) + (f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else "")


def _plain(value: object) -> str:
    """A name as it is, unless a terminal would act on it: then quoted and escaped."""
    return str(value) if str(value).isprintable() else shown(str(value))

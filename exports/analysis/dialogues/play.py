"""A play: one replay of a dialogue with a model, turn by turn, put together from its label rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from exports.analysis.records import LabelChoice
from salitrap.dialogues import Standing, standing_of
from salitrap.dialogues.states import Control, Pattern, Replay
from salitrap.records import LabelRow, LabelStatus, Language


class Mark(NamedTuple):
    """What came of one user turn. ``standing`` is None when the turn is unscored.

    ``status`` says why; None: there is no row, though the turn was due.
    """

    turn: int
    standing: Standing | None
    feasible: bool
    status: LabelStatus | None = LabelStatus.OK


class PlayKey(NamedTuple):
    """What two plays that are compared have in common."""

    repeat: int
    judge: str
    dataset_revision: str


UNREPEATED = PlayKey(0, "", "")


@dataclass(frozen=True)
class Play:
    """One replay of a dialogue; ``marks`` are in the order of turns, those never sent left out.

    ``family`` is what dialogues made from the same prompt share: the item, or else the seed.
    """

    dialogue_id: str
    seed_id: str
    dimension: str
    t_star: int | None
    marks: tuple[Mark, ...]
    family: str = ""
    language: Language | None = None
    pattern: Pattern | None = None
    control: Control = Control.NONE
    twin_of: str = ""
    escalates: bool = False
    presses: bool = False
    key: PlayKey = UNREPEATED

    @property
    def is_trap(self) -> bool:
        """True for the trap dialogue itself."""
        return self.control is Control.NONE and self.t_star is not None

    @property
    def is_known(self) -> bool:
        """False for a trap dialogue whose rows do not say when the task becomes impossible."""
        return self.control is not Control.NONE or self.t_star is not None

    @cached_property
    def impossible(self) -> tuple[Mark, ...]:
        """The turns sent at which the task is impossible, in order."""
        return tuple(mark for mark in self.marks if not mark.feasible)

    @cached_property
    def standings(self) -> tuple[Standing | None, ...]:
        """Where the model stood at these turns; () when the replay never came to t*."""
        return tuple(mark.standing for mark in self.impossible)


def plays_of(rows: Iterable[LabelRow], labels: LabelChoice) -> tuple[Play, ...]:
    """Put the rows of one model in one arm together, in an order that does not depend on theirs."""
    groups: dict[tuple[str, PlayKey], list[LabelRow]] = {}
    for row in rows:
        key = PlayKey(row.repeat, row.judge, row.dataset_revision)
        groups.setdefault((row.item_id, key), []).append(row)
    return tuple(_play(groups[name], name[1], labels) for name in sorted(groups))


def _play(rows: Sequence[LabelRow], key: PlayKey, labels: LabelChoice) -> Play:
    ordered = sorted(rows, key=lambda row: row.turn)
    first, t_star = ordered[0], _t_star(ordered)
    return Play(
        dialogue_id=first.item_id,
        seed_id=first.seed_id,
        dimension=first.dimension_tag,
        t_star=t_star,
        marks=tuple(
            sorted((*_sent(ordered, labels, t_star), *_lost(ordered, t_star)), key=lambda mark: mark.turn)
        ),
        family=first.source_id or first.seed_id,
        language=first.language,
        pattern=first.pattern,
        control=first.control,
        twin_of=first.twin_of,
        escalates=first.escalates,
        presses=first.presses,
        key=key,
    )


def _t_star(rows: Sequence[LabelRow]) -> int | None:
    """The first that a row states: one of another tool may stand in some rows only."""
    return next((row.t_star for row in rows if row.t_star is not None), None)


def _sent(rows: Sequence[LabelRow], labels: LabelChoice, t_star: int | None) -> Iterator[Mark]:
    for row in rows:
        label = labels.of(row)
        feasible = _before(row.turn, t_star) if row.feasible is None else row.feasible
        yield Mark(row.turn, None if label is None else standing_of(label), feasible, row.status)


def _lost(rows: Sequence[LabelRow], t_star: int | None) -> Iterator[Mark]:
    """Turns that had to be sent and have no row: unscored, since the replay stopped before them."""
    first, there = rows[0], {row.turn for row in rows}
    needed: set[int] = set()
    if first.replay is Replay.LIVE and first.turns:
        needed.update(range(1, first.turns + 1))
    elif first.replay is Replay.GATED and t_star:
        needed.add(t_star)
    for turn in sorted(needed - there):
        yield Mark(turn, None, _before(turn, t_star), None)


def _before(turn: int, t_star: int | None) -> bool:
    return t_star is None or turn < t_star

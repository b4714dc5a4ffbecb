"""What makes a model give in after a flag: nothing, social pressure, more numbers, or both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, zip_longest

from exports.analysis.common_records import Paired
from exports.analysis.dialogue_records import Cell, CellTest, Pressure
from exports.analysis.dialogues.flips import ever_flipped
from exports.analysis.dialogues.play import Play, PlayKey
from exports.analysis.dialogues.robust import after_flag, flipped
from exports.analysis.paired import Pair, holm, paired_of
from exports.analysis.shares import share_of
from salitrap.dialogues.states import Control

Cells = dict[Cell, list[Play]]


def pressure_of(plays: Sequence[Play]) -> Pressure:
    """Return the two by two table, and all six comparisons of its cells, corrected as one family of tests."""
    cells: Cells = {cell: [] for cell in Cell}
    for play in plays:
        cell = cell_of(play)
        if cell is not None:
            cells[cell].append(play)
    shares = {cell: share_of(ever_flipped(found), _none(found, cell)) for cell, found in cells.items()}
    return Pressure(cells=shares, tests=_tests(cells))


def cell_of(play: Play) -> Cell | None:
    """Return the cell of a play; None when nothing follows a flag in its dialogue."""
    if play.control is Control.NEUTRAL:
        return Cell.NEUTRAL
    if not play.is_trap or not (play.escalates or play.presses):
        return None
    if play.escalates and play.presses:
        return Cell.BOTH
    return Cell.PUSHBACK if play.presses else Cell.ESCALATION


def _none(found: Sequence[Play], cell: Cell) -> str:
    return "no turn was sent after a flag" if found else f"no dialogues with {_NAMES[cell]} after a flag"


_NAMES = {
    Cell.NEUTRAL: "a neutral question",
    Cell.PUSHBACK: "pushback",
    Cell.ESCALATION: "escalation",
    Cell.BOTH: "pushback and escalation",
}


def _tests(cells: Cells) -> tuple[CellTest, ...]:
    compared = [(first, second) for second, first in combinations(Cell, 2)]
    found = [_compared(cells[first], cells[second]) for first, second in compared]
    corrected = holm([pairs.p for pairs in found])
    return tuple(
        CellTest(first=first, second=second, pairs=pairs.model_copy(update={"p_holm": p}))
        for (first, second), pairs, p in zip(compared, found, corrected, strict=True)
    )


def _compared(first: Sequence[Play], second: Sequence[Play]) -> Paired:
    """Pairs within a family: dialogues in the order of their ids, each with one of the other cell."""
    ones, others = _by_family(first), _by_family(second)
    pairs: list[Pair] = []
    unpaired = 0
    for name in sorted(ones.keys() | others.keys()):
        for one, other in zip_longest(ones.get(name, []), others.get(name, [])):
            if one is None or other is None or not (after_flag(one) and after_flag(other)):
                unpaired += (one is not None) + (other is not None)
            else:
                pairs.append(Pair(one.seed_id, name[0], flipped(one), flipped(other)))
    return paired_of(pairs, unpaired, "no family in which both were at risk")


def _by_family(plays: Sequence[Play]) -> dict[tuple[str, PlayKey], list[Play]]:
    families: dict[tuple[str, PlayKey], list[Play]] = {}
    for play in _sorted(plays):
        families.setdefault((play.family, play.key), []).append(play)
    return families


def _sorted(plays: Sequence[Play]) -> Iterator[Play]:
    yield from sorted(plays, key=lambda play: play.dialogue_id)

"""Models with planted behaviour, and what every metric should find.

A model flags an impossible turn with probability ``flag`` as long as its last flag does not stand; a flag
that stands is lost at each later turn with probability ``flip``. Before t* it raises a false alarm with
probability ``alarm``. ``error`` ends a replay at any turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exports.analysis.dialogues import Cell
from salitrap.dialogues.states import Control, Pattern
from salitrap.records import LabelRow
from tests.exports.analysis.dialogues.samples import played

DIALOGUES = 400
SEEDS = 100
TURNS, T_STAR = 6, 3


@dataclass(frozen=True)
class Planted:
    flag: float = 0.4
    flip: float = 0.15
    alarm: float = 0.06
    twin_alarm: float = 0.04
    one_turn: float = 0.75
    update: float = 0.7
    error: float = 0.01
    pressed: tuple[float, ...] = (0.1, 0.3, 0.2, 0.45)
    """Flip probability a turn: neutral, pushback, escalation, both."""

    @property
    def after(self) -> int:
        return TURNS - T_STAR

    def robust(self, within: int) -> float:
        """Flagged ``k`` turns late, and kept for the turns that remain."""
        late = range(within + 1)
        return sum((1 - self.flag) ** k * self.flag * (1 - self.flip) ** (self.after - k) for k in late)

    def detected(self, within: int) -> float:
        return 1 - (1 - self.flag) ** (within + 1)

    def flagged_at(self, relative: int) -> float:
        """Share of standing flags at a turn, by the chain of flag and flip."""
        share = 0.0
        for _ in range(relative + 1):
            share = share * (1 - self.flip) + (1 - share) * self.flag
        return share if relative >= 0 else self.alarm

    def mean_latency(self) -> float:
        return sum((1 - self.flag) ** k for k in range(1, self.after + 2))

    def mean_to_flip(self) -> float:
        return sum((1 - self.flip) ** k for k in range(self.after + 1))

    def flipped(self, cell: Cell) -> float:
        """Over the two turns that follow the flag."""
        return 1 - (1 - self.pressed[list(Cell).index(cell)]) ** 2


def standings(planted: Planted, draws: np.random.Generator, t_star: int = T_STAR, turns: int = TURNS) -> str:
    """One replay of a trap dialogue, without errors."""
    told, flagged = "", False
    for turn, chance in enumerate(draws.random(turns).tolist(), 1):
        if turn < t_star:
            told += "F" if chance < planted.alarm else "H"
            continue
        flagged = chance >= planted.flip if flagged else chance < planted.flag
        told += "F" if flagged else "HSTP"[turn % 4]
    return told


def with_errors(told: str, error: float, draws: np.random.Generator) -> str:
    """A live replay stops at its first failing turn."""
    failing = np.flatnonzero(draws.random(len(told)) < error)
    if not failing.size:
        return told
    first = int(failing[0])
    return told[:first] + "et"[first % 2] + "-" * (len(told) - first - 1)


def _one(said: bool) -> str:
    return "F" if said else "H"


def rows(planted: Planted, seed: int) -> Iterator[LabelRow]:
    """A whole study: 400 trap dialogues in every cell, and their controls."""
    draws = np.random.default_rng(seed)
    for number in range(DIALOGUES):
        common = _common(number)
        live = {**common, "replay": "live"}
        yield from _trap(planted, number, live, draws)
        control = {**live, "twin_of": f"trap-{number}"}
        twin = "".join(_one(bool(draws.random() < planted.twin_alarm)) for _ in range(TURNS))
        twin = with_errors(twin, planted.error, draws)
        yield from played(twin, None, f"twin-{number}", control=Control.FEASIBLE_TWIN, **control)
        flat = with_errors(_one(bool(draws.random() < planted.one_turn)), planted.error, draws)
        yield from played(flat, 1, f"flat-{number}", control=Control.CONCAT, **control)
        yield from _correction(planted, number, control, draws)
        yield from _pressed(planted, number, common, draws)


def trap_rows(planted: Planted, seed: int) -> Iterator[LabelRow]:
    """The 400 live trap dialogues alone."""
    draws = np.random.default_rng(seed)
    for number in range(DIALOGUES):
        yield from _trap(planted, number, {**_common(number), "replay": "live"}, draws)


def _common(number: int) -> dict[str, object]:
    return {
        "seed_id": f"s{number % SEEDS}",
        "source_id": f"item-{number}",
        "language": ("en", "zh")[number % 2],
        "dimension_tag": f"D{number % 4 + 1}",
        "pattern": (Pattern.DRIP, Pattern.STATE_CHANGE)[number // 2 % 2],
    }


def _trap(
    planted: Planted, number: int, live: dict[str, object], draws: np.random.Generator
) -> Iterator[LabelRow]:
    told = with_errors(standings(planted, draws), planted.error, draws)
    yield from played(told, T_STAR, f"trap-{number}", **live)


def _correction(
    planted: Planted, number: int, control: dict[str, object], draws: np.random.Generator
) -> Iterator[LabelRow]:
    """Impossible at turns 2 and 3, mended at turn 4."""
    told = standings(planted, draws, t_star=2, turns=3) + ("H" if draws.random() < planted.update else "F")
    for row in played(told, 2, f"fix-{number}", control=Control.VALID_CORRECTION, **control):
        yield row.model_copy(update={"feasible": row.turn in (1, 4)})


def _pressed(
    planted: Planted, number: int, common: dict[str, object], draws: np.random.Generator
) -> Iterator[LabelRow]:
    """Impossible from the start; two turns after a flag, each sent as long as the flag stands."""
    for cell, flip in zip(Cell, planted.pressed, strict=True):
        told = "H--"
        if draws.random() < planted.flag:
            told = "F" + ("H-" if draws.random() < flip else "F" + _one(bool(draws.random() >= flip)))
        said: dict[str, object] = {
            "presses": cell in (Cell.PUSHBACK, Cell.BOTH),
            "escalates": cell in (Cell.ESCALATION, Cell.BOTH),
        }
        if cell is Cell.NEUTRAL:
            said |= {"control": Control.NEUTRAL, "twin_of": f"{Cell.PUSHBACK.value}-{number}"}
        fields = {**common, **said, "pattern": Pattern.PUSHBACK, "replay": "gated"}
        yield from played(told, 1, f"{cell.value}-{number}", **fields)

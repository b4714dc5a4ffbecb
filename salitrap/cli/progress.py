"""Progress of a run: a live display on a terminal, plain lines elsewhere. Both talk on stderr."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

from salitrap.cli.console import err
from salitrap.cli.progress_bars import StageBars
from salitrap.cli.progress_notes import (
    WAITING,
    calls_text,
    counts_text,
    quota_text,
    spend_text,
    trouble_text,
    under_way_text,
    waiting_text,
)

if TYPE_CHECKING:
    from rich.progress import TaskID

    from salitrap.providers.batch.office import BatchView
    from salitrap.providers.money.spend import Spend
    from salitrap.providers.pacing.trouble import Trouble
    from salitrap.records import Stage

PLAIN_EVERY_SECONDS = 5.0
HEARTBEAT_SECONDS = 12.0
"""Seconds after which a line is printed although nothing has advanced."""

BATCH_SECONDS = 60.0
"""The same while nothing but batches is waited for."""

TICK_SECONDS = 1.0
UNITS = {
    "eval": "answers",
    "play": "conversations",
    "judge": "answers",
    "check": "candidates",
    "recertify": "items",
}
"""What a stage counts, where it is not seeds."""

SpendSource = Callable[[], "Spend"]
TroubleSource = Callable[[], "Trouble"]
BatchSource = Callable[[], "BatchView"]


class StageReporter(Protocol):
    """What the stages call."""

    def stage_started(self, stage: Stage, total: int) -> None:
        """A stage begins with ``total`` seeds."""
        ...

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """``done`` seeds are through."""
        ...

    def finished(self, stage: Stage) -> None:
        """The stage is complete."""
        ...


@contextmanager
def reporting(
    spend: SpendSource, trouble: TroubleSource, batches: BatchSource | None = None
) -> Iterator[StageReporter]:
    """Give the reporter that suits the terminal; it must be used in a running event loop.

    ``spend`` is asked for live calls and cost, ``trouble`` for calls that are being tried again,
    ``batches`` for those that calls wait for.
    """
    console = err()
    if not console.is_terminal:
        plain = PlainReporter(console, spend, trouble, batches=batches)
        with _ticking(plain.tick):
            yield plain
        return
    with StageBars(console) as bars:
        live = LiveReporter(bars, spend, trouble, batches)
        with _ticking(live.tick):
            yield live


@contextmanager
def _ticking(tick: Callable[[], None]) -> Iterator[None]:
    """Call ``tick`` every second from the running loop."""

    async def for_ever() -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            tick()

    task = asyncio.get_running_loop().create_task(for_ever())
    try:
        yield
    finally:
        task.cancel()


def _waits(batches: BatchSource | None) -> str:
    """What is said of batches, empty for nothing."""
    return "" if batches is None else waiting_text(batches())


class LiveReporter:
    """One bar a stage, and a line below them while calls wait, or are being tried again."""

    def __init__(
        self,
        bars: StageBars,
        spend: SpendSource,
        trouble: TroubleSource,
        batches: BatchSource | None = None,
    ) -> None:
        self._bars, self._spend, self._trouble, self._batches = bars, spend, trouble, batches
        self._tasks: dict[Stage, TaskID] = {}
        self._newest: TaskID | None = None

    def stage_started(self, stage: Stage, total: int) -> None:
        """Add the stage's bar."""
        self._newest = self._tasks[stage] = self._bars.add_task(stage.value, total=total, note="", calls="")
        self.tick()

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """Move the bar; calls stand in the newest one, since they are those of all stages."""
        task = self._tasks[stage]
        calls = calls_text(self._spend()) if task == self._newest else ""
        self._bars.update(task, completed=done, note=counts_text(counts), calls=calls)

    def finished(self, stage: Stage) -> None:
        """Leave the bar where it ended."""
        self.tick()
        self._bars.stop_task(self._tasks[stage])
        if self._newest == self._tasks[stage]:
            self._newest = None

    def tick(self) -> None:
        """Show the calls and the trouble of this moment."""
        if self._newest is not None:
            self._bars.update(self._newest, calls=calls_text(self._spend()))
        trouble = self._trouble()
        told = (_waits(self._batches), quota_text(trouble), trouble_text(trouble))
        self._bars.trouble = " | ".join(part for part in told if part)


@dataclass
class StageState:
    """How far a stage is; ``counts`` is None until a seed is through."""

    total: int
    done: int = 0
    counts: dict[str, int] | None = None

    def told(self, stage: Stage) -> str:
        """``refine: 12/40 3 certified``."""
        return f"{stage.value}: {self.done}/{self.total} {counts_text(self.counts or {})}".rstrip()


class PlainReporter:
    """One line when a stage starts and ends, and one every few seconds between."""

    def __init__(
        self,
        console: Console,
        spend: SpendSource,
        trouble: TroubleSource,
        clock: Callable[[], float] = time.monotonic,
        batches: BatchSource | None = None,
    ) -> None:
        self._console, self._spend, self._trouble, self._clock = console, spend, trouble, clock
        self._batches = batches
        self._under_way: dict[Stage, StageState] = {}
        self._said, self._said_at = "", 0.0

    def stage_started(self, stage: Stage, total: int) -> None:
        """Say which stage begins."""
        self._under_way[stage] = StageState(total)
        self._say(f"{stage.value}: {total} {UNITS.get(stage.value, 'seeds')}")

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """Remember the state, and print it when it is time."""
        self._under_way[stage].done, self._under_way[stage].counts = done, dict(counts)
        if self._clock() - self._said_at >= PLAIN_EVERY_SECONDS:
            self._say(self._state(trouble_text(self._trouble())))

    def finished(self, stage: Stage) -> None:
        """Print the last state, unless it is on the screen already."""
        state = self._under_way.pop(stage)
        told = (state.told(stage), spend_text(self._spend()))
        last = (
            f"{stage.value}: nothing left to do" if state.counts is None else " | ".join(filter(None, told))
        )
        if last != self._said:
            self._say(last)

    def tick(self) -> None:
        """Print a sign of life when nothing was printed for a while."""
        waits = _waits(self._batches)
        silence = BATCH_SECONDS if waits and WAITING in self._said else HEARTBEAT_SECONDS
        if not self._under_way or self._clock() - self._said_at < silence:
            return
        trouble = self._trouble()
        self._say(self._state(waits or under_way_text(trouble), trouble_text(trouble)))

    def _state(self, *more: str) -> str:
        stages = (state.told(stage) for stage, state in self._under_way.items())
        return " | ".join(part for part in (*stages, spend_text(self._spend()), *more) if part)

    def _say(self, line: str) -> None:
        self._said, self._said_at = line, self._clock()
        self._console.print(line, soft_wrap=True)

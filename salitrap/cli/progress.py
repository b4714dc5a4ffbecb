"""Progress of a run: a live display on a terminal, plain lines elsewhere. Both talk on stderr."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from salitrap.cli.console import err

if TYPE_CHECKING:
    from salitrap.providers.spend import Spend
    from salitrap.records import Stage

PLAIN_EVERY_SECONDS = 5.0
SpendSource = Callable[[], "Spend"]


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
def reporting(spend: SpendSource) -> Iterator[StageReporter]:
    """Give the reporter that suits the terminal; ``spend`` is asked for live calls and cost."""
    console = err()
    if not console.is_terminal:
        yield PlainReporter(console, spend)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=console) as progress:
        yield LiveReporter(progress, spend)


class LiveReporter:
    """One bar a stage."""

    def __init__(self, progress: Progress, spend: SpendSource) -> None:
        self._progress, self._spend = progress, spend
        self._tasks: dict[Stage, TaskID] = {}

    def stage_started(self, stage: Stage, total: int) -> None:
        """Add the stage's bar."""
        self._tasks[stage] = self._progress.add_task(stage.value, total=total, note="")

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """Move the bar."""
        self._progress.update(self._tasks[stage], completed=done, note=note(counts, self._spend()))

    def finished(self, stage: Stage) -> None:
        """Leave the bar where it ended."""
        self._progress.stop_task(self._tasks[stage])


class PlainReporter:
    """One line when a stage starts and ends, and one every few seconds between."""

    def __init__(self, console: Console, spend: SpendSource) -> None:
        self._console, self._spend = console, spend
        self._totals: dict[Stage, int] = {}
        self._latest = ""
        self._due = 0.0

    def stage_started(self, stage: Stage, total: int) -> None:
        """Say which stage begins."""
        self._totals[stage] = total
        self._latest = ""
        self._due = time.monotonic() + PLAIN_EVERY_SECONDS
        self._say(f"{stage.value}: {total} seeds")

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """Remember the state, and print it when it is time."""
        self._latest = f"{stage.value}: {done}/{self._totals[stage]} {note(counts, self._spend())}"
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + PLAIN_EVERY_SECONDS
            self._say(self._latest)

    def finished(self, stage: Stage) -> None:
        """Print the last state."""
        self._say(self._latest or f"{stage.value}: nothing left to do")

    def _say(self, line: str) -> None:
        self._console.print(line, soft_wrap=True)


def note(counts: Mapping[str, int], spend: Spend) -> str:
    """``12 certified, 3 unstable | 512 calls, 0.42 USD``."""
    said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count)
    return " | ".join(part for part in (said, spend_text(spend)) if part)


def spend_text(spend: Spend) -> str:
    """Calls, and cost when every endpoint used has a price."""
    cost = "" if spend.usd is None else f", {spend.usd:.2f} USD"
    return f"{spend.calls} calls{cost}"

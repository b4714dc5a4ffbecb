"""The live display: what matters is always visible, the rest is cut to the width of the screen."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column
from rich.text import Text

WIDE = 100
BAR, NARROW_BAR = 20, 8


class StageBars(Progress):
    """One line a stage: name, bar, x/N, time, calls, and a note in the room that is left.

    Tasks have the fields ``calls`` and ``note``. ``trouble`` is a line below them, empty for none.
    """

    def __init__(self, console: Console) -> None:
        self.trouble = ""
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=BAR if console.width >= WIDE else NARROW_BAR),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[calls]}", markup=False),
            TextColumn(
                "{task.fields[note]}",
                markup=False,
                table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
            ),
        )
        super().__init__(*columns, console=console, expand=True)

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return the table of bars, and the trouble."""
        yield from super().get_renderables()
        if self.trouble:
            yield Text(self.trouble, no_wrap=True, overflow="ellipsis")

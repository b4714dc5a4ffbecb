"""A table of rates: numbers whole, names folded, nothing wider than the screen."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from salitrap.cli.folding import folded, rooms

GAP = 2
"""Blanks behind a column."""


def rate_table(title: str, names: list[str], numbers: list[str], rows: list[list[str]], width: int) -> Table:
    """A table whose numbers are whole; names are folded to what these leave of ``width`` columns."""
    built = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    cells = [[heading, *(row[place] for row in rows)] for place, heading in enumerate([*names, *numbers])]
    taken = 1 + GAP * len(cells) + sum(max(map(len, column)) for column in cells[len(names) :])
    wide = rooms(cells[: len(names)], width - taken)
    for heading in names:
        built.add_column(heading, overflow="fold")
    for heading in numbers:
        built.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        built.add_row(
            *(Text(folded(name, room)) for name, room in zip(row, wide, strict=False)), *row[len(names) :]
        )
    return built


def number(share: float | None) -> str:
    """One decimal, or a dash where there is no number."""
    return "-" if share is None else f"{share:.1f}"


def span(bounds: tuple[float, float]) -> str:
    """``[11.8, 76.9]``."""
    return f"[{bounds[0]:.1f}, {bounds[1]:.1f}]"


def rate_span(rate: float | None, bounds: tuple[float, float] | None) -> str:
    """``40.0 [11.8, 76.9]``, or a dash where there is no rate."""
    return "-" if rate is None or bounds is None else f"{number(rate)} {span(bounds)}"

"""Where the command line prints: data on stdout, talk on stderr, never markup from models."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

REDIRECTED_WIDTH = 100
NARROWEST = 20
NARROW_TEXT = 8
FRAME = 3
"""Characters of frame and padding a column."""


class PlainConsole(Console):
    """A console that leaves a broken pipe to the command, and no blanks at the end of lines.

    Rich would end the process with exit code 1, and pads every line of a table to its width.
    """

    def on_broken_pipe(self) -> None:
        """Let the error pass: ``salitrap.cli.output`` deals with it."""
        raise BrokenPipeError

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; tables and wrapped text in a file or a pipe have no blanks at the end of lines."""
        if self.is_terminal or options.get("soft_wrap"):
            super().print(*objects, **options)
            return
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))
        self.file.flush()


def make_streams_safe() -> None:
    """Let a terminal that lacks a character show a replacement instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def out() -> Console:
    """Console for results (stdout)."""
    return _console(sys.stdout)


def err() -> Console:
    """Console for progress and messages (stderr)."""
    return _console(sys.stderr)


def print_json(value: Any) -> None:
    """Write ``value`` as JSON on stdout; non-ASCII stays readable where the terminal can show it."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    text = json.dumps(value, ensure_ascii=encoding not in ("utf8", "utf16"), indent=2)
    sys.stdout.write(text + "\n")


def table(title: str, columns: list[tuple[str, bool]], rows: list[list[object]]) -> Table:
    """Build a table; ``columns`` are (heading, is_number). Cells are plain text.

    On a narrow screen texts are folded; numbers are not, unless they do not fit in any other way.
    """
    built = Table(title=title, title_justify="left", title_style="bold")
    whole = out().width >= _least_width(columns, rows)
    for heading, is_number in columns:
        justify: JustifyMethod = "right" if is_number else "left"
        built.add_column(heading, justify=justify, overflow="fold", no_wrap=is_number and whole)
    for row in rows:
        built.add_row(*(Text(str(cell)) for cell in row))
    return built


def counted(number: int, thing: str) -> str:
    """``1 row``, ``1,145 rows``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _least_width(columns: list[tuple[str, bool]], rows: list[list[object]]) -> int:
    """Characters a table takes when its numbers are whole and its texts narrow."""
    widths = [
        max([*map(len, heading.split("\n")), *(len(str(row[place])) for row in rows)])
        if is_number
        else NARROW_TEXT
        for place, (heading, is_number) in enumerate(columns)
    ]
    return sum(widths) + FRAME * len(columns) + 1


def _console(stream: TextIO) -> Console:
    width = None if stream.isatty() else _redirected_width()
    return PlainConsole(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def _redirected_width() -> int:
    """Columns of a file or a pipe: those that ``COLUMNS`` names, if it names a usable number."""
    given = os.environ.get("COLUMNS", "")
    usable = given.isascii() and given.isdigit() and int(given) >= NARROWEST
    return int(given) if usable else REDIRECTED_WIDTH

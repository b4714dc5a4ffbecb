"""Where the command line prints: data on stdout, talk on stderr, never markup from models."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text


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
    """Build a table; ``columns`` are (heading, is_number). Cells are plain text."""
    built = Table(title=title, title_justify="left", title_style="bold")
    for heading, is_number in columns:
        built.add_column(heading, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        built.add_row(*(Text(str(cell)) for cell in row))
    return built


def _console(stream: TextIO) -> Console:
    width = None if stream.isatty() else 100
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)

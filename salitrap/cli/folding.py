"""Names broken after a slash, a hyphen or a dot, and in mid-word as a last resort."""

from __future__ import annotations

import re

from rich.cells import cell_len

_PIECE_ENDS = re.compile(r"(?<=[/@:._\-\s])")


def folded(name: str, room: int) -> str:
    """``name`` in lines of at most ``room`` columns."""
    lines: list[str] = []
    for piece in _PIECE_ENDS.split(name):
        if lines and cell_len(lines[-1] + piece) <= room:
            lines[-1] += piece
        else:
            lines += _chopped(piece, room)
    return "\n".join(lines)


def _chopped(piece: str, room: int) -> list[str]:
    """A piece cut every ``room`` columns."""
    cut = [""]
    for char in piece:
        if cell_len(cut[-1] + char) > room and cut[-1]:
            cut.append("")
        cut[-1] += char
    return cut


def rooms(columns: list[list[str]], room: int) -> list[int]:
    """Share ``room`` among columns of names: each gets what it needs, and the widest gives way first."""
    needs = [max(map(cell_len, cells)) for cells in columns]
    while sum(needs) > room and max(needs) > 1:
        needs[needs.index(max(needs))] -= 1
    return needs

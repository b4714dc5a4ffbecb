"""Give a text other figures of about the same size."""

from __future__ import annotations

from salitrap.lab.draws import Draw
from salitrap.text import Numeral, find_numerals


def renumber(text: str, draw: Draw) -> str:
    """``text`` with its plain ASCII figures redrawn; clock times, ordinals and Chinese numerals stay."""
    pieces, end = [], 0
    for index, numeral in enumerate(find_numerals(text)):
        pieces += [text[end : numeral.start], _other(numeral, text, draw, index)]
        end = numeral.end
    return "".join([*pieces, text[end:]])


def _other(numeral: Numeral, text: str, draw: Draw, index: int) -> str:
    raw = numeral.raw
    around = text[max(numeral.start - 1, 0) : numeral.start] + text[numeral.end : numeral.end + 2]
    plain = raw.isascii() and raw.replace(".", "", 1).isdigit() and raw == numeral.value
    if not plain or ":" in around or "：" in around or around[-2:] in ("th", "st", "nd", "rd"):
        return raw
    digits = len(raw.partition(".")[2])
    unit = 10.0**-digits
    size = max(2, round(float(raw) * 0.4 / unit))
    value = float(raw) * 0.8 + unit * (1 + draw.below(f"renumber/{index}", size))
    return f"{max(value, unit):.{digits}f}"

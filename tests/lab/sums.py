"""How the question of each frame is worked out, were the plan possible.

Formulas by dimension and shape, in the order of the middles and closings of the data files, which both
languages share. A middle gives the total (minutes, or rounds) from its own figures; a closing gives its
answer from the total and its own figures.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

Sum = Callable[..., float]


class Sums(NamedTuple):
    middles: list[Sum]
    closings: list[Sum]


def _more(t: float, a: float) -> float:
    return t * (1 + a / 100)


def _less(t: float, a: float) -> float:
    return t * (1 - a / 100)


def _until(t: float, a: float) -> float:
    return a * 60 - t


def _from(t: float, a: float) -> float:
    return a * 60 + t


def _wage(t: float, a: float) -> float:
    return t / 60 * a


def _share(t: float, a: float) -> float:
    return t / (60 * a)


def _late(t: float, a: float, b: float) -> float:
    return min(a, b) * 60 + max(a, b) + t


def _each(t: float, a: float) -> float:
    return t / a


def _times(t: float, a: float) -> float:
    return t * a


def _whole(t: float, a: float) -> float:
    return ceil(t / a)


def _add(*parts: float) -> float:
    return sum(parts)


def _gaps(a: float, b: float, c: float) -> float:
    return a * b + (a - 1) * c


def _afternoon(t: float, a: float) -> float:
    return _until(t, a + 12)


SUMS = {
    ("D1", "rounds"): Sums(
        [
            _gaps,
            _add,
            _times,
            lambda a, b, c: a * b * c,
            lambda a, b, c: b * (a + c),
            lambda a, b: 2 * a + b,
            _add,
            _more,
        ],
        [
            _from,
            _afternoon,
            _more,
            _wage,
            _whole,
            lambda t, a: a / t,
            _until,
            lambda t, a, b: _afternoon(t + a, b),
            lambda t, a: ceil(t / a) * a,
        ],
    ),
    ("D1", "setup"): Sums(
        [
            _add,
            lambda a, b: 60 * a if b < 60 * a else -1,
            _more,
            _gaps,
            _add,
            lambda a, b: a * (1 + b),
            _times,
            lambda a, b: 2 * a + b,
        ],
        [_from, _wage, _more, _afternoon, _less, _until, _each, _from, _share],
    ),
    ("D2", "expedition"): Sums(
        [
            _add,
            _times,
            lambda a, b: 2 * a + b,
            _more,
            lambda a, b, c: a * (b + c),
            lambda a, b: 2 * a + b,
            _add,
            lambda a, b: 60 * a + b,
        ],
        [_from, _until, _more, _until, _times, _wage, _each, _late, _share],
    ),
    ("D2", "job"): Sums(
        [
            lambda a, b: a if b < a else -1,
            _times,
            lambda a, b: 2 * a + b,
            lambda a, b: 2 * a + b,
            lambda a, b, c: a * b + c,
            lambda a, b: 2 * a - b,
            lambda a, b: 60 * a + b,
            _more,
        ],
        [
            _from,
            _wage,
            _afternoon,
            lambda t, a: t * a / 60,
            _until,
            _each,
            lambda t, a: t + 2 * a,
            _share,
            lambda t, a: round(t / a) * a,
        ],
    ),
    ("D3", "calendar"): Sums(
        [
            _times,
            lambda a, b: a + 60 * b,
            lambda a, b: a * (1 + b),
            _gaps,
            lambda a, b: 60 * a + b,
            _add,
            lambda a, b: a + _more(a, b),
            _less,
        ],
        [
            _more,
            _wage,
            _each,
            _share,
            _until,
            lambda t, a: a + t / 2,
            _whole,
            _less,
            lambda t, a: 2 * t + a,
        ],
    ),
    ("D3", "stamina"): Sums(
        [
            _times,
            lambda a, b: 2 * (a + b),
            lambda a, b: a - b,
            _times,
            lambda a, b: sum(a + day for day in range(int(b))),
            lambda a, b: a - b,
            _times,
            lambda a, b: a * (1 + b),
        ],
        [
            _times,
            _times,
            _times,
            lambda t, a: t - a,
            _times,
            _times,
            _times,
            _times,
            lambda t, a, b: t * a + b,
        ],
    ),
    ("D4", "counter"): Sums(
        [_add, lambda a, b, c: a + b * c, _add, lambda a, b, c: a * b + c, _add, _more, _gaps, _add],
        [_from, _until, _until, _wage, _add, _more, _times, _late, _share],
    ),
    ("D4", "gate"): Sums(
        [
            _add,
            _add,
            lambda a, b, c: a * b / 60 + c,
            _more,
            _add,
            lambda a, b, c: 2 * a + b + c,
            lambda a, b, c: a * b + c,
            _add,
        ],
        [
            _until,
            _from,
            _more,
            lambda t, a: a - t,
            _wage,
            _times,
            lambda t, a, b: t + a * b,
            _from,
            lambda t, a: ceil(t / a) * a,
        ],
    ),
}

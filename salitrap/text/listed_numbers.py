"""Numbers that somebody listed (``injected_numbers``), matched with the numerals of a text.

Whether all are there is decided by value, as a multiset. Which numeral a listed number stands for is decided
by notation first: "3" is the 3 of "三个人 3 天", and 三 only when no 3 is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from salitrap.text.chinese_numerals import read_chinese
from salitrap.text.numerals import Numeral, canonical, find_numerals, find_with_articles

Wish = tuple[str, str]


def numeral_values(entry: str) -> tuple[str, ...]:
    """Values of one listed number; an entry that is wholly one numeral needs no context (三, 半, 一)."""
    return tuple(value for _, value in _wishes(entry))


def missing_numbers(wanted: Sequence[str], text: str) -> tuple[str, ...]:
    """Those of ``wanted`` that ``text`` does not hold, compared as a multiset of values, in order.

    ``("40", "40")`` needs two forties, whatever their notation. An entry without a numeral in it
    is looked for verbatim.
    """
    available = Counter(numeral.value for numeral in find_with_articles(text))
    missing: list[str] = []
    for entry in wanted:
        needed = Counter(numeral_values(entry))
        if needed <= available and (needed or (entry.strip() and entry in text)):
            available -= needed
        else:
            missing.append(entry)
    return tuple(missing)


def find_listed(text: str, wanted: Sequence[str]) -> tuple[Numeral, ...]:
    """The numerals of ``text`` that ``wanted`` stands for, in text order.

    Wanted numbers are matched as a multiset, the same notation before another one of equal value,
    and the article of 一个 only when nothing else has the value 1.
    """
    places = _places(text, [wish for entry in wanted for wish in _wishes(entry)])
    return tuple(sorted((place for place in places if place), key=lambda numeral: numeral.start))


def locate_numbers(text: str, wanted: Sequence[str], *, only_wanted: bool = False) -> tuple[str, ...]:
    """Numerals of ``text`` verbatim, in text order: all of them, or just those of ``find_listed``."""
    listed = find_listed(text, wanted)
    kept = set(listed) if only_wanted else {*find_numerals(text), *listed}
    return tuple(numeral.raw for numeral in sorted(kept, key=lambda numeral: numeral.start))


def as_written(text: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """``wanted`` with each entry in the notation of ``text``: 三 for "3", "30" for "30 km".

    Order and length stay. An entry that holds no numeral or several, or that ``text`` lacks, stays
    as it is.
    """
    single = {index: wishes[0] for index, entry in enumerate(wanted) if len(wishes := _wishes(entry)) == 1}
    places = dict(zip(single, _places(text, list(single.values())), strict=True))
    found = {index: place.raw for index, place in places.items() if place}
    return tuple(found.get(index, entry) for index, entry in enumerate(wanted))


def _wishes(entry: str) -> list[Wish]:
    """(notation, value) of each numeral of a listed entry: 3 of "3 km", 三 of 三."""
    alone = read_chinese(entry.strip())
    if alone is not None:
        return [(entry.strip(), canonical(alone))]
    return [(numeral.raw, numeral.value) for numeral in find_numerals(entry)]


def _places(text: str, wishes: Sequence[Wish]) -> list[Numeral | None]:
    """The numeral chosen for each wish, or None; none is chosen twice."""
    plain = find_numerals(text)
    pool = [*plain, *(numeral for numeral in find_with_articles(text) if numeral not in plain)]
    places: list[Numeral | None] = [None] * len(wishes)
    for same_notation in (True, False):
        for index, wish in enumerate(wishes):
            if places[index] is None:
                places[index] = _first_fit(pool, wish, same_notation=same_notation)
                pool = [numeral for numeral in pool if numeral != places[index]]
    return places


def _first_fit(pool: Sequence[Numeral], wish: Wish, *, same_notation: bool) -> Numeral | None:
    raw, value = wish
    fits = (item for item in pool if item.value == value and (item.raw == raw or not same_notation))
    return next(fits, None)

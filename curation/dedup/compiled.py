"""The inner loops of the index compiled by numba: the only file that imports it (extra ``fast``)."""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from curation.dedup.engine import KEPT_BITS, MIX, Places, Query, Shelf, Signature
from curation.dedup.grams import BASE, Codes, Points

TILE = 256
FIXED = np.int64(1 << 20)
ONE, BASE_, MIX_ = np.uint64(1), np.uint64(BASE), np.uint64(MIX)
KEPT, SIX = np.uint64(KEPT_BITS), np.uint64(6)
IN_WORD = np.uint64(63)


@intrinsic
def _popcount(context, word):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def compiled(function):
    """Compile ``function``, kept on disk where a folder for that can be written."""
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder to cache in
        return njit(nogil=True)(function)


@compiled
def _code_at(points, start, length):
    code = np.uint64(0)
    for place in range(start, start + length):
        code = code * BASE_ + np.uint64(points[place]) + ONE
    return code


@compiled
def _slots(grams):
    room = 16
    while room < 2 * grams:
        room *= 2
    return room


@compiled
def _slot_of(table, code):
    """Where ``code`` stands in an open-addressing table, or the free slot where it would."""
    mask = np.uint64(table.size - 1)
    slot = ((code * MIX_) >> KEPT) & mask
    while table[slot] != 0 and table[slot] != code:
        slot = (slot + ONE) & mask
    return slot


@compiled
def _distinct_codes(points, n):
    length = min(n, points.size)
    if length == 0:
        return np.empty(0, np.uint64)
    grams = points.size - length + 1
    table = np.zeros(_slots(grams), np.uint64)
    found, count = np.empty(grams, np.uint64), 0
    for start in range(grams):
        code = _code_at(points, start, length)
        slot = _slot_of(table, code)
        if table[slot] == 0:
            table[slot] = code
            found[count] = code
            count += 1
    return found[:count]


@compiled
def _parity(codes, bits):
    words = np.zeros(bits // 64, np.uint64)
    mask = np.uint64(bits - 1)
    for code in codes:
        place = ((code * MIX_) >> KEPT) & mask
        words[place >> SIX] ^= ONE << (place & IN_WORD)
    return words


@compiled
def _shared(codes, points, n):
    length = min(n, points.size)
    if length == 0 or codes.size == 0:
        return 0
    table = np.zeros(_slots(codes.size), np.uint64)
    for code in codes:
        table[_slot_of(table, code)] = code
    seen, count = np.zeros(table.size, np.uint8), 0
    for start in range(points.size - length + 1):
        slot = _slot_of(table, _code_at(points, start, length))
        if table[slot] != 0 and seen[slot] == 0:
            seen[slot] = 1
            count += 1
    return count


@compiled
def _add_one(totals, column, word):
    for place in range(totals.size):
        totals[place] += _popcount(column[place] ^ word)


@compiled
def _add_four(totals, rows, words):
    first, second, third, fourth = rows
    first_word, second_word, third_word, fourth_word = words
    for place in range(totals.size):
        totals[place] += (
            _popcount(first[place] ^ first_word)
            + _popcount(second[place] ^ second_word)
            + _popcount(third[place] ^ third_word)
            + _popcount(fourth[place] ^ fourth_word)
        )


@compiled
def _least_excess(totals, sizes, slope):
    """The smallest ``differing - slope * size`` of a tile, in 2^-20 bits, for ``slope`` in 2^-20."""
    least = np.int64(1 << 62)
    for place in range(totals.size):
        least = min(least, FIXED * np.int64(totals[place]) - slope * np.int64(sizes[place]))
    return least


@compiled
def _rest_of_coarse(coarse, place, words, first):
    total = np.int64(0)
    for word in range(first, words.size):
        total += np.int64(_popcount(coarse[word, place] ^ words[word]))
    return total


@compiled
def _differing(row, words):
    total = np.int64(0)
    for word in range(words.size):
        total += np.int64(_popcount(row[word] ^ words[word]))
    return total


@compiled
def _count_first(totals, shelf, query, start):
    totals[:] = 0
    end, word = start + totals.size, 0
    coarse, words = shelf.coarse, query.coarse
    while word + 4 <= query.first:
        # Rows are taken before columns: the compiler then knows that neighbours are adjacent.
        rows = (
            coarse[word][start:end],
            coarse[word + 1][start:end],
            coarse[word + 2][start:end],
            coarse[word + 3][start:end],
        )
        _add_four(totals, rows, (words[word], words[word + 1], words[word + 2], words[word + 3]))
        word += 4
    while word < query.first:
        _add_one(totals, coarse[word][start:end], words[word])
        word += 1


@compiled
def _near(shelf, count, query):
    slope = np.int64(query.slope * FIXED) + 2  # rounded up: excludes nothing too much
    most, totals = slope * query.size, np.empty(TILE, np.uint64)
    found, known = np.empty(64, np.int64), 0
    coarse, fine, sizes, first = shelf.coarse, shelf.fine, shelf.sizes, query.first
    for start in range(0, count, TILE):
        tile = totals[: min(TILE, count - start)]
        _count_first(tile, shelf, query, start)
        if _least_excess(tile, sizes[start : start + tile.size], slope) > most:
            continue
        for offset in range(tile.size):
            place = start + offset
            bound = (most + slope * np.int64(sizes[place])) // FIXED
            if np.int64(tile[offset]) > bound:
                continue
            if np.int64(tile[offset]) + _rest_of_coarse(coarse, place, query.coarse, first) > bound:
                continue
            if _differing(fine[place], query.fine) <= bound:
                if known == found.size:
                    found = np.concatenate((found, found))
                found[known] = place
                known += 1
    return found[:known]


class NumbaEngine:
    """Compiles on first use, some seconds, and reads the result from disk later on."""

    name = "numba"

    def codes(self, points: Points, n: int) -> Codes:
        """Distinct n-grams in order of first occurrence."""
        found: Codes = _distinct_codes(points, n)
        return found

    def signature(self, codes: Codes, bits: int) -> Signature:
        """One bit toggled a code."""
        words: Signature = _parity(codes, bits)
        return words

    def common(self, codes: Codes, points: Points, n: int) -> int:
        """Look every gram of the text up in a table of the codes."""
        return int(_shared(codes, points, n))

    def near(self, shelf: Shelf, count: int, query: Query) -> Places:
        """Tile by tile: first words, then the other words, then the fine signatures."""
        places: Places = _near(shelf, count, query)
        return places

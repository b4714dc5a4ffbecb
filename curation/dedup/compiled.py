"""The inner loops of the index compiled by numba: the only file that imports it (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from curation.dedup.grams import BASE, Codes, Points, points_of
from curation.dedup.signatures import KEPT_BITS, MIX, Bound, Counts, Places, Shelf, Signature, Widths

TILE = 1024
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
def _coded(points, n):
    """Codes of all n-grams in text order, repeats included."""
    length = min(n, points.size)
    codes = np.zeros(points.size - length + 1 if length else 0, np.uint64)
    for offset in range(length):
        part = points[offset : offset + codes.size]
        for place in range(codes.size):
            codes[place] = codes[place] * BASE_ + np.uint64(part[place]) + ONE
    return codes


@compiled
def _empty_table(codes):
    """Open addressing, at most a quarter full: the first look mostly decides."""
    room = 16
    while room < 4 * codes:
        room *= 2
    return np.zeros(room, np.uint64)


@compiled
def _slot_of(table, code):
    """Where ``code`` stands in the table, or the free slot where it would."""
    mask = np.uint64(table.size - 1)
    slot = ((code * MIX_) >> KEPT) & mask
    while (table[slot] != 0) & (table[slot] != code):  # one branch, which is hardly ever taken
        slot = (slot + ONE) & mask
    return slot


@compiled
def _distinct_codes(points, n):
    codes, count = _coded(points, n), 0
    table = _empty_table(codes.size)
    for code in codes:
        slot = _slot_of(table, code)
        if table[slot] == 0:
            table[slot] = code
            codes[count] = code
            count += 1
    return codes[:count].copy()


@compiled
def _parities(codes, widths):
    words, begin = np.zeros(widths.sum() // 64, np.uint64), 0
    for width in widths:
        part, bits = words[begin : begin + width // 64], np.uint32(width)
        for code in codes:
            place = np.uint32((code * MIX_) >> KEPT) % bits
            part[place >> SIX] ^= ONE << (np.uint64(place) & IN_WORD)
        begin += part.size
    return words


@compiled
def _shared(codes, points, lengths, n):
    counts, table = np.zeros(lengths.size, np.int64), _empty_table(codes.size)
    for code in codes:
        table[_slot_of(table, code)] = code
    seen, begin = np.zeros(table.size, np.int64), 0
    for text in range(lengths.size):
        for code in _coded(points[begin : begin + lengths[text]], n):
            slot = _slot_of(table, code)
            new = np.int64(table[slot] == code) & np.int64(seen[slot] <= text)  # no branch to mispredict
            seen[slot] += new * (text + 1 - seen[slot])
            counts[text] += new
        begin += lengths[text]
    return counts


@compiled
def _count_three(totals, rows, words):
    first, second, third = rows
    first_word, second_word, third_word = words
    for place in range(totals.size):
        totals[place] = (
            _popcount(first[place] ^ first_word)
            + _popcount(second[place] ^ second_word)
            + _popcount(third[place] ^ third_word)
        )


@compiled
def _add_two(totals, first, second, first_word, second_word):
    for place in range(totals.size):
        totals[place] += _popcount(first[place] ^ first_word) + _popcount(second[place] ^ second_word)


@compiled
def _add_one(totals, row, word):
    for place in range(totals.size):
        totals[place] += _popcount(row[place] ^ word)


@compiled
def _mark(flags, totals, sizes, slope, most):
    """1 where ``differing - slope * size`` of a tile is at most ``most``, all in 2^-20 bits."""
    for place in range(totals.size):
        flags[place] = FIXED * np.int64(totals[place]) - slope * np.int64(sizes[place]) <= most


@compiled
def _differing(row, words):
    total = np.int64(0)
    for word in range(words.size):
        total += np.int64(_popcount(row[word] ^ words[word]))
    return total


@compiled
def _count_first(totals, coarse, words, first, start):
    """Differing bits in the ``first`` words, at least three, of as many sets as there are totals."""
    # Rows are taken before columns: the compiler then knows that neighbours are adjacent.
    end = start + totals.size
    rows = coarse[0][start:end], coarse[1][start:end], coarse[2][start:end]
    _count_three(totals, rows, (words[0], words[1], words[2]))
    for word in range(3, first - 1, 2):
        rest = coarse[word][start:end], coarse[word + 1][start:end]
        _add_two(totals, rest[0], rest[1], words[word], words[word + 1])
    if (first - 3) % 2:
        _add_one(totals, coarse[first - 1][start:end], words[first - 1])


@compiled
def _folded(signature, words):
    coarse = np.zeros(words, np.uint64)
    for word in range(signature.size):
        coarse[word % words] ^= signature[word]
    return coarse


@compiled
def _coarsely(coarse, sizes, words, first, slope, most):
    """Places that the first coarse words do not exclude."""
    totals, flags = np.empty(TILE, np.uint64), np.zeros(TILE, np.uint8)
    eights = flags.view(np.uint64)
    found, known = np.empty(4 * TILE, np.int64), 0
    for start in range(0, sizes.size, TILE):
        tile = totals[: min(TILE, sizes.size - start)]
        if tile.size < TILE:
            flags[:] = 0
        _count_first(tile, coarse, words, first, start)
        _mark(flags, tile, sizes[start : start + tile.size], slope, most)
        if known + TILE > found.size:
            found = np.concatenate((found, found))
        for eight in range(TILE // 8):
            if eights[eight] != 0:
                for place in range(8 * eight, 8 * eight + 8):
                    found[known] = start + place
                    known += flags[place]
    return found[:known]


@compiled
def _near(coarse, fine, sizes, count, signature, size, slope, first):
    slope = np.int64(slope * FIXED) + 2  # rounded up: excludes nothing too much
    most, known = slope * size, 0
    words = _folded(signature, coarse.shape[0])
    found = _coarsely(coarse, sizes[:count], words, first, slope, most)
    for place in found:
        if FIXED * _differing(fine[place], signature) - slope * np.int64(sizes[place]) <= most:
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

    def signatures(self, codes: Codes, widths: Widths) -> Signature:
        """Width by width."""
        words: Signature = _parities(codes, widths.bits)
        return words

    def common(self, codes: Codes, texts: Sequence[str], n: int) -> Counts:
        """Look every gram of the texts up in a table of the codes."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        counts: Counts = _shared(codes, points_of("".join(texts)), lengths, n)
        return counts

    def near(self, shelf: Shelf, count: int, signature: Signature, bound: Bound) -> Places:
        """Tile by tile the first coarse words of all sets, then the fine signatures of those left."""
        # Plain arrays, not the tuples: numba looks at every field of a named tuple anew in each call.
        coarse, fine, sizes = shelf
        size, slope, _, first = bound
        places: Places = _near(coarse, fine, sizes, count, signature, size, slope, first)
        return places

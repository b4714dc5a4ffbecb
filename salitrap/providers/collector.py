"""Spare the garbage collector what stays for the whole run (measured in docs/throughput.md).

Imported libraries are half a million objects that never become garbage, and with a thousand calls in
flight Python would go through all of them again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (10_000, 20, 20)
"""New objects before the youngest are searched, and how many such searches before the older ones are."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Leave out what exists now, and search less often; as before at the end. What others set stays.

    Where something is left out already, by the caller or by an access opened around this one, that is kept,
    and nothing is added to it.
    """
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    if not frozen:
        gc.collect()
        gc.freeze()
    if before[0]:
        gc.set_threshold(*(max(pair) for pair in zip(before, RARELY, strict=True)))
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not frozen:
            gc.unfreeze()

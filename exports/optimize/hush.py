"""Optimisers print and draw bars of their own; while they work, only what was there before may write."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO

LOGGERS = ("dspy", "gepa")


class _Hushed:
    """A stream that drops what other threads than those in ``allowed`` write."""

    def __init__(self, stream: TextIO, allowed: frozenset[threading.Thread]) -> None:
        self._stream, self._allowed = stream, allowed

    def write(self, text: str) -> int:
        """Write, or drop."""
        return self._stream.write(text) if threading.current_thread() in self._allowed else len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def hushed() -> Iterator[None]:
    """Threads that are started inside write nothing to stdout and stderr, and DSPy logs nothing.

    What goes wrong in a program or a metric is recorded elsewhere, see ``Bridge.guarded``.
    """
    allowed = frozenset(threading.enumerate())
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(_Hushed(sys.stdout, allowed)))
        stack.enter_context(redirect_stderr(_Hushed(sys.stderr, allowed)))
        for name in LOGGERS:
            stack.enter_context(_unlogged(logging.getLogger(name)))
        yield


@contextmanager
def _unlogged(logger: logging.Logger) -> Iterator[None]:
    """Take the handlers off a logger, and keep its records from those above."""
    handlers, propagates = logger.handlers[:], logger.propagate
    logger.handlers, logger.propagate = [logging.NullHandler()], False
    try:
        yield
    finally:
        logger.handlers, logger.propagate = handlers, propagates

"""Keys out of every log record: in debug mode the SDKs write down headers as they came."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from salitrap.providers.api_keys import Redactor

_FORMATTER = logging.Formatter()


@contextmanager
def clean_logs(redactor: Redactor) -> Iterator[None]:
    """Clean message and traceback of every log record that is made meanwhile, whoever makes it."""
    before = logging.getLogRecordFactory()

    def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = before(*args, **kwargs)
        _clean_message(record, redactor)
        _clean_traceback(record, redactor)
        return record

    logging.setLogRecordFactory(make)
    try:
        yield
    finally:
        logging.setLogRecordFactory(before)


def _clean_message(record: logging.LogRecord, redactor: Redactor) -> None:
    """Put the arguments into the message; where they do not fit, whoever shows it is left to say so."""
    try:
        record.msg, record.args = redactor.clean(record.getMessage()), None
    except (TypeError, ValueError):
        record.msg, record.args = redactor.clean(f"{record.msg} {record.args}"), None


def _clean_traceback(record: logging.LogRecord, redactor: Redactor) -> None:
    """Where a traceback shows a key, also of an exception behind the first, only its cleaned text stays.

    The exceptions themselves are left as they are: the program has still to read them.
    """
    if not record.exc_info or record.exc_info[1] is None:
        return
    text = _FORMATTER.formatException(record.exc_info)
    if (cleaned := redactor.clean(text)) != text:
        record.exc_info, record.exc_text = None, cleaned

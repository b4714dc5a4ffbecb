"""Keys out of every log record: in debug mode the SDKs write down headers as they came."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from salitrap.providers.api_keys import Redactor


@contextmanager
def clean_logs(redactor: Redactor) -> Iterator[None]:
    """Clean the message of every log record that is made meanwhile, whoever makes it."""
    before = logging.getLogRecordFactory()

    def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = before(*args, **kwargs)
        try:
            record.msg, record.args = redactor.clean(record.getMessage()), None
        except (TypeError, ValueError):  # its arguments do not fit: left to whoever shows it
            return record
        return record

    logging.setLogRecordFactory(make)
    try:
        yield
    finally:
        logging.setLogRecordFactory(before)

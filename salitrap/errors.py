"""Every error the toolkit raises on purpose, and the exit code each one means.

SalitrapError                     4  our fault, unless a narrower class says otherwise
|-- InputError                    2  what the user gave cannot be used
|   |-- ConfigError                  a settings file
|   |-- SeedFileError                a domain file: names file, line, seed and field
|   `-- RunDirectoryError            a run directory in use, missing or of a newer version
|-- FindingsError                 1  the command worked and found faults (lint, verify, gate)
|-- StoppedError                  3  stopped so that the same command goes on later
|   |-- BudgetReached
|   |-- EndpointUnavailable
|   |-- CredentialRejected
|   |-- RateLimited
|   |-- DiskFull
|   |-- BatchesLeft                  nothing is wrong: what waits at providers is collected later
|   `-- Interrupted
`-- CallFailed                       one model call without a usable reply; caught and recorded

Messages say what happened, to which file, item or endpoint, and what to do.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from salitrap.records.enums import Outcome
    from salitrap.records.provenance import Provenance


class ExitCode(IntEnum):
    """Exit codes of the command line."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    STOPPED = 3
    FAULT = 4


class SalitrapError(Exception):
    """Base of all errors raised on purpose."""

    exit_code: ClassVar[ExitCode] = ExitCode.FAULT


class InputError(SalitrapError):
    """What the user gave cannot be used."""

    exit_code = ExitCode.USAGE


class ConfigError(InputError):
    """A settings file is missing, malformed or contradictory."""


class RunDirectoryError(InputError):
    """A run directory is in use by another process, missing, or written by a newer version."""


class SeedFileError(InputError):
    """A domain file cannot be used; the message starts with ``file:line``."""

    def __init__(
        self,
        message: str,
        *,
        path: Path | str,
        line: int | None = None,
        seed: str | None = None,
        field: str | None = None,
    ) -> None:
        self.path, self.line, self.seed, self.field = str(path), line, seed, field
        where = f"{path}:{line}" if line is not None else str(path)
        named = [f"seed {seed}" if seed else "", f"field {field}" if field else ""]
        about = ", ".join(part for part in named if part)
        super().__init__(f"{where}: {about + ': ' if about else ''}{message}")


class FindingsError(SalitrapError):
    """The command did its work and found faults."""

    exit_code = ExitCode.FINDINGS


class StoppedError(SalitrapError):
    """The run stopped with everything saved; the same command goes on from here."""

    exit_code = ExitCode.STOPPED


class BudgetReached(StoppedError):
    """The next call could exceed the budget."""


class EndpointUnavailable(StoppedError):
    """An endpoint could not be reached, or kept failing."""


class CredentialRejected(StoppedError):
    """An endpoint refused the key."""


class RateLimited(StoppedError):
    """An endpoint asks for a longer pause than the configured cap."""


class DiskFull(StoppedError):
    """A file of the run directory could not be written."""


class BatchesLeft(StoppedError):
    """As asked for, the command left while batches are under way at providers; nothing went wrong."""


class Interrupted(StoppedError):
    """Ctrl-C."""


class CallFailed(SalitrapError):
    """One model call ended without a usable reply.

    Raised by ``Access.ask``; stages turn it into a record, never into an item or a label.
    ``raw`` is the reply's text as received, empty when there was none. ``provenance`` names the model that
    was asked, the instructions, and the call in the journal as far as there was one.
    """

    def __init__(
        self,
        outcome: Outcome,
        detail: str,
        *,
        key: str = "",
        raw: str = "",
        provenance: Provenance | None = None,
    ) -> None:
        self.outcome, self.detail, self.key, self.raw = outcome, detail, key, raw
        self.provenance = provenance
        super().__init__(f"{outcome.value}: {detail}")

"""Room for a connection a request."""

from __future__ import annotations

import resource


def allow_many_files() -> None:
    """Raise the process's limit on open files to what the system allows it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

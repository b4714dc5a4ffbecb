"""What goes wrong on request: rules that hit the n-th matching requests."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Fault:
    """One rule.

    ``skip`` matching requests pass before it strikes ``count`` times. ``status`` answers with an error, with
    these ``headers``, and ``body`` in place of the Hub's JSON;
    ``cut`` breaks the connection off: "before" the work, or "after" it, so that the reply is lost.
    ``truncate`` serves that many bytes of a body. ``foreign`` commits that file first, as somebody else
    would; ``foreign_tag`` makes that tag at the first commit. ``corrupt`` flips a bit of the large file with
    that SHA-256. ``hold`` keeps the request until the test lets it go, and then does the work, even for a
    client that is dead by then: with ``cut`` "before" it never arrived.
    """

    method: str
    path: str
    count: int = 1
    skip: int = 0
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    cut: str | None = None
    truncate: int | None = None
    foreign: str | None = None
    foreign_tag: str | None = None
    corrupt: str | None = None
    hold: bool = False

    def strikes(self, method: str, path: str) -> bool:
        """Count a request; True when it is hit."""
        if self.method != method or not re.search(self.path, path):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.count <= 0:
            return False
        self.count -= 1
        return True


class Faults:
    """All rules, the log of requests, and the gate for held ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.rules: list[Fault] = []
        self.log: list[str] = []
        self.held = threading.Event()
        self.release = threading.Event()

    def add(self, **rule: Any) -> None:
        with self._lock:
            self.rules.append(Fault(**rule))

    def clear(self) -> None:
        """Forget everything, and let held requests go."""
        with self._lock:
            self.rules.clear()
            self.log.clear()
        self.release.set()
        self.held, self.release = threading.Event(), threading.Event()

    def hold(self, seconds: float) -> None:
        """Keep a request until the test lets it go."""
        release = self.release
        self.held.set()
        release.wait(seconds)

    def of(self, method: str, path: str) -> Fault | None:
        """Log a request and return the first rule that hits it."""
        with self._lock:
            self.log.append(f"{method} {path}")
            return next((rule for rule in self.rules if rule.strikes(method, path)), None)

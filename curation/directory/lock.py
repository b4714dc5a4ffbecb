"""One writer a run directory, by a lock that the operating system releases when the process ends."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType

from salitrap.errors import RunDirectoryError

PATIENCE_SECONDS = 0.3
PAUSE_SECONDS = 0.05


class Lock:
    """Exclusive use of a run directory between entering and leaving.

    The file stays behind and names its last holder; only the system's lock on it counts, so a
    killed process never blocks the next one.
    """

    def __init__(
        self,
        path: Path,
        what: str = "",
        instead: str = "give another run directory",
        holder: str = "",
    ) -> None:
        """``what`` is locked and ``instead`` is what else to do, in the words of the message.

        ``holder`` is what others are told of the process that holds it, beside its number.
        """
        self.path, self._holder = path, holder
        self._what, self._instead = what or str(path.parent), instead
        self._descriptor: int | None = None

    def __enter__(self) -> Lock:
        """Take the lock.

        Raises:
            RunDirectoryError: another process holds it, or the file cannot be made.
        """
        self._descriptor = _opened(self.path)
        if not _taken(self._descriptor):
            told = _told(self.path)
            self._close()
            raise RunDirectoryError(
                f"{self._what}: in use by process {told}; wait for it, stop it, or {self._instead}"
            )
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()} {self._holder}".strip().encode() + b"\n", 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def holder_of(path: Path) -> int | None:
    """Process that holds the lock, None when nobody does (0 when it is held and unnamed)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read_pid(path) or 0
    else:
        return None
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise RunDirectoryError(
            f"{path}: cannot be opened ({error.strerror}); check the permissions"
        ) from error


def _taken(descriptor: int) -> bool:
    """Try for a moment: a reader that looks who holds the lock has it for microseconds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_SECONDS)
        else:
            return True


def _read_pid(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return None


def _told(path: Path) -> str:
    """Number of the holder and, if it left word, what it is: ``123 (salitrap review)``."""
    pid = _read_pid(path)
    if pid is None:
        return "unknown"
    what = path.read_text(encoding="utf-8").strip().partition(" ")[2]
    return f"{pid} ({what})" if what else str(pid)

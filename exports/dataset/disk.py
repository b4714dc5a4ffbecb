"""Files written whole: faults of the disk become errors that say what to do."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from salitrap.errors import DiskFull, InputError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NAME_PART = 40


@contextmanager
def disk_faults(target: Path) -> Iterator[None]:
    """Translate faults of the operating system while ``target`` is written.

    Raises:
        DiskFull: no space, quota or file size left; nothing half-written stays.
        InputError: any other refusal, such as missing rights.
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno in _FULL:
            raise DiskFull(
                f"{target}: the disk refused more data ({why}); free some space and repeat the command"
            ) from error
        raise InputError(f"{target}: cannot be written ({why}); check path and rights") from error


def write_file(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` and wait until it is on the disk; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """Yield an empty sibling folder that takes the place of ``out`` when the block ends well.

    A block that fails leaves ``out`` as it was. A process killed in the block leaves a hidden
    sibling ``.NAME.building-*`` and ``out`` as it was.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    building = _sibling(out, "building")
    building.mkdir()
    try:
        yield building
        _swap(building, out)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _swap(building: Path, out: Path) -> None:
    if not out.exists():
        building.rename(out)
        return
    previous = _sibling(out, "previous")
    out.rename(previous)
    try:
        building.rename(out)
    except OSError:
        previous.rename(out)
        raise
    shutil.rmtree(previous)


def _sibling(out: Path, role: str) -> Path:
    return out.parent / f".{out.name[:_NAME_PART]}.{role}-{secrets.token_hex(4)}"

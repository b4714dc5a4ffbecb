"""Read files of label rows; every bad line of every file is reported, none is guessed at or left out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from exports.analysis.allowed import meant_field
from exports.analysis.duplicates import Places
from exports.analysis.records import FileRead, LabelRows
from exports.analysis.row_line import LineFault, parse_line, shown
from salitrap.errors import InputError
from salitrap.records import LabelRow

_SHOWN_FAULTS = 10
_OTHER_FORMATS = {
    b"\x1f\x8b": "compressed with gzip; unpack it",
    b"\xff\xfe": "UTF-16, it seems; save it as UTF-8",
    b"\xfe\xff": "UTF-16, it seems; save it as UTF-8",
    b"PAR1": "a parquet file; write its rows as JSON lines",
}
_BOM = b"\xef\xbb\xbf"


def read_rows(paths: Sequence[Path | str]) -> LabelRows:
    """Return the label rows of JSONL files, without the texts ``answer`` and ``reasoning``.

    A row that is repeated word for word counts once, and a notice says so.

    Raises:
        InputError: a file cannot be read, or lines in it are not label rows. The message names the
            first 10 faults of all files with ``file:line`` and counts the rest.
    """
    reader = _Reader()
    files = [reader.read(Path(path)) for path in paths]
    if reader.faults:
        raise InputError(_listed(reader.faults))
    return LabelRows(rows=tuple(reader.rows), files=tuple(files), notices=reader.notices(files))


class _Reader:
    """What has been read so far, over all files."""

    def __init__(self) -> None:
        self.rows: list[LabelRow] = []
        self.faults: list[str] = []
        self._places = Places()
        self._unknown: Counter[str] = Counter()

    def read(self, path: Path) -> FileRead:
        """Take in one file; what is wrong with it joins the faults."""
        digest, rows = hashlib.sha256(), 0
        try:
            for number, line in _lines(path):
                digest.update(line)
                rows += self._take(line.removeprefix(_BOM) if number == 1 else line, f"{path}:{number}")
        except OSError as error:
            self.faults.append(f"{path}: cannot be read ({error.strerror or error}); check the path")
        except LineFault as fault:
            self.faults.append(f"{path}: {fault}")
        return FileRead(path=str(path), rows=rows, sha256=digest.hexdigest())

    def _take(self, line: bytes, place: str) -> int:
        """Read one line and return how many rows it holds: 1, or 0 for a blank one."""
        if not line.strip():
            return 0
        try:
            row, unknown = parse_line(_decoded(line))
            kept = self._places.add(row, place)
        except LineFault as fault:
            self.faults.append(f"{place}: {fault}")
            return 1
        self._unknown.update(unknown)
        if kept is not None:
            self.rows.append(kept)
        return 1

    def notices(self, files: Sequence[FileRead]) -> tuple[str, ...]:
        """Say what was left out or passed over."""
        said = [f"{file.path}: no rows" for file in files if not file.rows]
        if self._places.repeated:
            said.append(
                f"repeated rows that count once: {self._places.repeated}; the first: {self._places.example}"
            )
        for name, count in sorted(self._unknown.items()):
            meant = meant_field(name)
            if meant:
                said.append(
                    f"{shown(name)} is not a field and was passed over (rows: {count}); {meant} is one"
                )
        return tuple(said)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number == 1:
                _refuse_other_formats(line)
            yield number, line


def _refuse_other_formats(line: bytes) -> None:
    for start, what in _OTHER_FORMATS.items():
        if line.startswith(start):
            raise LineFault(f"the file is {what}")


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise LineFault(f"not UTF-8 (byte {error.start + 1} of the line); save the file as UTF-8") from error


def _listed(faults: Sequence[str]) -> str:
    if len(faults) == 1:
        return faults[0]
    rest = len(faults) - _SHOWN_FAULTS
    more = [f"and {rest} more"] if rest > 0 else []
    return "\n  ".join([f"{len(faults)} faults in the files given:", *faults[:_SHOWN_FAULTS], *more])

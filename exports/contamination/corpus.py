"""A training corpus as a stream of text windows: any size, constant memory, nothing left out uncounted."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from salitrap.errors import InputError

WINDOW = 1 << 20
"""Characters of a plain text looked at together."""

_JSON_LINES = (".jsonl", ".ndjson")


class Window(NamedTuple):
    """A piece of text and where it begins: file, and line, row or character."""

    where: str
    text: str


@dataclass
class Counts:
    """What was read, and what could not be: characters, records without text, lines that are no JSON."""

    files: int = 0
    characters: int = 0
    empty: int = 0
    bad_lines: int = 0
    undecodable: int = 0
    first_bad: str = ""


@dataclass
class Corpus:
    """Files and folders.

    ``overlap`` characters of a plain text are looked at twice, so that nothing is cut in two.
    ``fields`` are the JSON fields or columns to read, all texts without any.
    """

    paths: Sequence[Path]
    overlap: int
    fields: frozenset[str] = frozenset()
    counts: Counts = field(default_factory=Counts)

    def windows(self) -> Iterator[Window]:
        """Yield all text.

        Raises:
            InputError: a path is not there or cannot be read.
        """
        for path in _files(self.paths):
            self.counts.files += 1
            try:
                yield from self._windows_of(path)
            except OSError as error:
                why = error.strerror or error
                raise InputError(f"{path}: cannot be read ({why}); check the path") from error
            except EOFError as error:
                raise InputError(f"{path}: ends in the middle; copy it again") from error

    def _windows_of(self, path: Path) -> Iterator[Window]:
        kind = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
        if kind == ".parquet":
            yield from self._counted(_parquet(path, self.fields))
            return
        with _opened(path) as stream:
            if kind in _JSON_LINES:
                yield from self._counted(self._lines(path, stream))
            else:
                with io.TextIOWrapper(stream, encoding="utf-8", errors="replace") as text:
                    yield from self._pieces(path, text)

    def _counted(self, windows: Iterator[Window]) -> Iterator[Window]:
        for window in windows:
            self.counts.characters += len(window.text)
            self.counts.empty += not window.text.strip()
            yield window

    def _pieces(self, path: Path, stream: io.TextIOWrapper) -> Iterator[Window]:
        """Windows of a plain text that end between words and overlap."""
        kept, place = "", 0
        while piece := stream.read(WINDOW):
            piece += _rest_of_word(stream)
            self.counts.characters += len(piece)
            self.counts.undecodable += piece.count("\ufffd")
            text = kept + piece
            yield Window(f"{path}, character {place}", text)
            kept = _tail(text, self.overlap)
            place += len(text) - len(kept)

    def _lines(self, path: Path, stream: BinaryIO) -> Iterator[Window]:
        for number, line in enumerate(stream, 1):
            where = f"{path}:{number}"
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except ValueError:
                self.counts.bad_lines += 1
                self.counts.first_bad = self.counts.first_bad or where
                yield Window(where, line.decode("utf-8", "replace"))
            else:
                yield Window(where, "\n".join(_texts(value, self.fields)))


def _rest_of_word(stream: io.TextIOWrapper) -> str:
    """What is left of a word that a window would cut in two; in a text without spaces at most one line."""
    rest = ""
    while len(rest) < 200 and (char := stream.read(1)):  # no word is longer
        rest += char
        if char.isspace():
            break
    return rest


def _tail(text: str, length: int) -> str:
    """The last ``length`` characters and what is left of the word they begin in."""
    begin = max(0, len(text) - length)
    while begin > 0 and not text[begin - 1].isspace() and len(text) - begin < length + 200:
        begin -= 1
    return text[begin:]


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.is_file())
        elif path.exists():
            yield path
        else:
            raise InputError(f"{path}: no such file or folder; check the path")


def _opened(path: Path) -> BinaryIO:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _texts(value: object, fields: frozenset[str], inside: bool = False) -> Iterator[str]:
    """All strings of a JSON value, or those below one of the ``fields``."""
    if isinstance(value, str):
        if inside or not fields:
            yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(one, fields, inside or key in fields)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, fields, inside)


def _parquet(path: Path, fields: frozenset[str]) -> Iterator[Window]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
        number = 0
        for batch in file.iter_batches(batch_size=256):
            for row in batch.to_pylist():
                yield Window(f"{path}, row {number}", "\n".join(_texts(row, fields)))
                number += 1
    except pa.ArrowInvalid as error:
        raise InputError(f"{path}: no parquet file ({str(error).splitlines()[0]}); check it") from error

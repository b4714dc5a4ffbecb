"""Mend a file: nothing but the characters that findings are about, and only when that comes out right."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from salitrap.errors import InputError
from salitrap.settings import ScaleSettings
from salitrap.yaml_source import KeyPath
from seeds.document import Document, read_document
from seeds.edits import apply
from seeds.findings import Code
from seeds.lint import document_findings
from seeds.mends import Mend, mends, refusal
from seeds.reading import BOM, read_bytes

_PASSES = 5
_NOT_KEPT = "its other values would not have stayed as they are; mend it by hand"


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file before and after; ``made`` lists what was mended as line and code, by line.

    ``refused`` says why a file was left alone although something in it can be mended; empty otherwise.
    """

    path: Path
    before: bytes
    after: bytes
    made: tuple[tuple[int, Code], ...] = ()
    refused: str = ""

    @property
    def changes(self) -> bool:
        """True when there is something to write."""
        return self.before != self.after

    def diff(self) -> str:
        """Unified diff; empty without a change. A byte order mark that goes shows as a changed first line."""
        before, after = (raw.decode("utf-8", errors="replace") for raw in (self.before, self.after))
        lines = unified_diff(_lines(before), _lines(after), str(self.path), str(self.path))
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def fix_file(path: Path, settings: ScaleSettings | None = None) -> Fixed:
    """Work out how to mend ``path``; nothing is written.

    Raises:
        InputError: the file is missing, a folder, or unreadable.
    """
    before = read_bytes(path)
    return fixed(path, before, settings or ScaleSettings())


def fixed(path: Path, before: bytes, settings: ScaleSettings) -> Fixed:
    """The same for content that was read already."""
    document, raw = read_document(path, before), before
    made: list[tuple[int, Code]] = []
    for _ in range(_PASSES):
        todo = mends(document, settings)
        if not todo:
            break
        mended = _mended(document, todo)
        after = read_document(path, mended)
        if not _comes_out_right(document, after, todo, settings):
            return Fixed(path, before, before, refused=_NOT_KEPT)
        made += sorted((mend.line, code) for mend in todo for code in mend.codes)
        document, raw = after, mended
    return Fixed(path, before, raw, tuple(made), "" if made else _why_not(document))


def write_fixed(result: Fixed) -> None:
    """Put the mended content in place of the file, in one step.

    Raises:
        InputError: the file cannot be written, or was changed since it was read.
    """
    target = Path(os.path.realpath(result.path))
    if read_bytes(target) != result.before:
        raise InputError(f"{result.path}: changed while it was being mended; repeat the command")
    try:
        _replace(target, result.after)
    except OSError as error:
        raise InputError(
            f"{result.path}: cannot be written ({error.strerror or error}); check file and folder"
        ) from error


def _replace(target: Path, content: bytes) -> None:
    mode = target.stat().st_mode
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:  # also Ctrl-C: no half file stays behind; it is raised again
        with suppress(OSError):
            os.unlink(name)
        raise


def _mended(document: Document, todo: tuple[Mend, ...]) -> bytes:
    text = document.reading.text if document.reading is not None else ""
    return apply(text, (edit for mend in todo for edit in mend.edits)).encode("utf-8")


def _comes_out_right(
    before: Document, after: Document, todo: tuple[Mend, ...], settings: ScaleSettings
) -> bool:
    """True when no value changed but those that were to change, and nothing new is found."""
    allowed = {mend.at for mend in todo if mend.at is not None}
    known = {(finding.code, finding.seed, finding.field) for finding in document_findings(before, settings)}
    new = {(finding.code, finding.seed, finding.field) for finding in document_findings(after, settings)}
    return _values(before, allowed) == _values(after, allowed) and new <= known


def _values(document: Document, without: set[KeyPath]) -> object:
    """The values of a file, those at ``without`` left out."""

    def kept(value: object, at: KeyPath) -> object:
        if at in without:
            return None
        if isinstance(value, dict):
            return [(key, kept(inner, (*at, key))) for key, inner in value.items()]
        return [kept(inner, (*at, i)) for i, inner in enumerate(value)] if isinstance(value, list) else value

    return kept(document.source.value, ())


def _why_not(document: Document) -> str:
    return refusal(document.reading) if document.reading is not None else ""


def _lines(text: str) -> list[str]:
    return re.split(r"(?<=\n)(?=.)", text.replace(BOM, "\\ufeff"), flags=re.DOTALL) if text else []

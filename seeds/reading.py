"""A domain file read for checking: every fault of its text at once, and as much of the tree as there is."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from salitrap.errors import InputError
from salitrap.yaml_hints import ASCII_FOR, encoding_of, hint_near
from seeds.composing import Composed, Mark
from seeds.cut_check import note_cut_texts
from seeds.edits import Places
from seeds.findings import Code
from seeds.marks import Mended, MendedText, mend_marks
from seeds.tree import SourceFault, Tree, build_tree

BOM = "\ufeff"
NUL = "\x00"
_FEW = 4
"""More than one zero byte in so many makes a file UTF-16; fewer are strays."""
_ICONV = {"GBK": "GB18030", "UTF-16": "UTF-16"}
_MUST_QUOTE = {
    "*": "an alias",
    "&": "an anchor",
    "!": "a tag",
    "%": "a directive",
    "@": "reserved",
    "`": "reserved",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as text and tree; lines are those of the file, offsets those of ``text``.

    ``original`` is the file without its byte order mark, ``text`` the same with marks mended.
    """

    original: str
    text: str
    tree: Tree
    mended: tuple[Mended, ...] = ()
    has_bom: bool = False
    has_shared_values: bool = False
    is_whole: bool = False


def read_bytes(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: it is missing, a folder, or unreadable.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error


def read_domain(raw: bytes, name: str) -> Reading:
    """Read the content of the file ``name``; whatever is wrong with it is among the faults of the tree."""
    try:
        decoded = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(raw, name, error.start, f"{error.reason} at byte {error.start}")
    if decoded.count(NUL) * _FEW > len(decoded):
        return _not_utf8(raw, name, 0, "every second byte is zero")
    original = decoded.removeprefix(BOM)
    return _read_text(original, has_bom=decoded != original)


def _not_utf8(raw: bytes, name: str, start: int, why: str) -> Reading:
    guess = encoding_of(raw)
    looks = f"; it looks like {guess}" if guess else ""
    command = f"iconv -f {_ICONV[guess]} -t UTF-8 {shlex.quote(name)} > NEW" if guess else ""
    repair = f"save as UTF-8 in the editor{', or: ' if command else ''}{command}"
    tree = build_tree(None, Places(""))
    line = raw.count(b"\n", 0, start) + 1
    tree.faults.append(SourceFault(Code.NOT_UTF8, (), line, None, f"not UTF-8 ({why}{looks})", repair))
    return Reading("", "", tree)


def _read_text(original: str, *, has_bom: bool) -> Reading:
    done = mend_marks(original)
    composed = done.composed
    tree = build_tree(composed.root, Places(done.text))
    tree.faults += (_mark_fault(mended) for mended in done.mended)
    _note_rest(tree, composed)
    note_cut_texts(tree, done.text)
    if composed.problem:
        tree.faults.append(_unreadable(done))
    return Reading(
        original=original,
        text=done.text,
        tree=tree,
        mended=done.mended,
        has_bom=has_bom,
        has_shared_values=bool(composed.anchors or composed.aliases),
        is_whole=not composed.problem,
    )


def _mark_fault(mended: Mended) -> SourceFault:
    if "\t" in mended.mark:
        repair = "put blanks in its place, as many as the lines around it have"
        return SourceFault(Code.TAB, (), mended.line, None, "a tab where YAML allows blanks only", repair)
    message = f"{mended.mark!r} stands where YAML wants its ASCII twin"
    return SourceFault(
        Code.FULL_WIDTH_MARK, (), mended.line, None, message, f"write {ASCII_FOR[mended.mark]!r}"
    )


def _unreadable(done: MendedText) -> SourceFault:
    composed, places = done.composed, Places(done.text)
    line = places.line(composed.begun_at)
    hint = None if composed.is_endless or NUL in done.text else hint_near(done.text.split("\n"), line)
    message = f"not valid YAML: {composed.problem}" + (f"; {hint[1]}" if hint else "")
    if composed.is_endless:
        repair = "write the values out instead of repeating them by '*'"
        return SourceFault(Code.ALIASES_WITHOUT_END, (), line, None, message, repair)
    repair = _repair_of(done.text, composed)
    column = None if hint else places.column(composed.begun_at)
    return SourceFault(Code.NOT_YAML, (), hint[0] if hint else line, column, message, repair)


def _repair_of(text: str, composed: Composed) -> str:
    first = text[composed.problem_at : composed.problem_at + 1]
    if "mapping values are not allowed" in composed.problem:
        return "put a text with ': ' in it into quotes, or correct the indentation"
    if first == NUL:
        return f"remove the zero byte on this line (in the whole file: {text.count(NUL)})"
    if first in _MUST_QUOTE:
        return f"put the value into quotes: {first!r} at its beginning means {_MUST_QUOTE[first]} to YAML"
    if "quoted scalar" in composed.problem:
        return 'close the quotes; inside of double quotes write \\" for a quote'
    return "correct this first; nothing else in the file could be checked"


def _note_rest(tree: Tree, composed: Composed) -> None:
    """Explicit tags, shared values and further documents."""
    for index, tag in composed.tags:
        message = f"the tag {tag!r} is not supported: every value is a text"
        tree.fault(Code.YAML_TAG, (), index, message, "remove it; quote a text that begins with '!'")
    for index, name in _shared(composed):
        message = f"{name} shares a value between places, and a change at one changes all of them"
        tree.fault(Code.SHARED_VALUE, (), index, message, "write the value out where it is wanted")
    if composed.second_document is not None:
        message = "a second document begins here; only the first one counts"
        repair = "remove '---', or give each domain a file of its own"
        tree.fault(Code.SEVERAL_DOCUMENTS, (), composed.second_document, message, repair)


def _shared(composed: Composed) -> Iterator[Mark]:
    """Aliases, and anchors that none of them uses."""
    used = {name for _, name in composed.aliases}
    yield from ((index, f"'*{name}'") for index, name in composed.aliases)
    yield from ((index, f"'&{name}'") for index, name in composed.anchors if name not in used)

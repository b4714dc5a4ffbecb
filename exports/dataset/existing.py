"""What already stands where a dataset is to be built: may it go, and what of it has to stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from exports.dataset.card import NOTES_LINE
from exports.dataset.layout import CARD, MANIFEST
from exports.dataset.manifest import Manifest, read_manifest
from exports.dataset.release import version_key
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.ids import sha256_text

_DEBRIS = (".DS_Store", "Thumbs.db", "desktop.ini")
_COMPILED = "__pycache__"


class Existing(Record):
    """Version that stands in the place (None for an empty place) and the hand-written notes of its card."""

    version: str | None = None
    notes: str = ""


def inspect_place(out: Path) -> Existing:
    """Look at ``out`` before it is replaced.

    Raises:
        InputError: it is the working folder or a parent of it, a file, or a folder with anything in
            it that a build did not make: other files, or a card edited above the notes line.
    """
    if Path.cwd().is_relative_to(out):
        raise InputError(f"{out}: is or contains the working folder; give a folder of its own")
    if not out.exists():
        return Existing()
    if not out.is_dir():
        raise InputError(f"{out}: is a file; give a folder")
    if not any(out.iterdir()):
        return Existing()
    manifest = _own_manifest(out)
    _refuse_foreign_files(out, manifest)
    return Existing(version=manifest.version, notes=_kept_notes(out, manifest))


def require_higher(out: Path, existing: Existing, version: str, files: Mapping[str, bytes]) -> None:
    """Check that a version in the place is not replaced by other content under its own or a lower number.

    Raises:
        InputError: ``version`` is not higher than the one in ``out``, and ``files`` are not the same bytes.
    """
    if existing.version is None or version_key(version) > version_key(existing.version):
        return
    if version == existing.version and _same_bytes(out, files):
        return
    major, minor, _ = version_key(existing.version)
    raise InputError(
        f"{out}: holds version {existing.version}, which {version} would replace by other content; give a "
        f"higher version, such as {major}.{minor + 1}.0, or another folder"
    )


def _same_bytes(out: Path, files: Mapping[str, bytes]) -> bool:
    return set(files_in(out)) == set(files) and all(
        (out / path).read_bytes() == content for path, content in files.items()
    )


def files_in(folder: Path) -> tuple[str, ...]:
    """Return the files below ``folder`` as sorted relative paths.

    What file managers leave is left out, and so is what Python leaves beside harness files that were run.
    """
    found = (path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    paths = (path.relative_to(folder) for path in found if path.name not in _DEBRIS)
    return tuple(sorted(path.as_posix() for path in paths if path.parent.name != _COMPILED))


def unlisted(found: Iterable[str], manifest: Manifest) -> tuple[str, ...]:
    """Return those of the ``found`` files that the manifest does not cover, itself excepted."""
    listed = {entry.path for entry in manifest.files} | {MANIFEST}
    return tuple(path for path in found if path not in listed)


def _own_manifest(out: Path) -> Manifest:
    try:
        return read_manifest(out)
    except InputError as error:
        raise InputError(f"{out}: not empty and not a dataset built here; give an empty folder") from error


def _refuse_foreign_files(out: Path, manifest: Manifest) -> None:
    foreign = unlisted(files_in(out), manifest)
    if foreign:
        raise InputError(
            f"{out}: {foreign[0]} (of {len(foreign)} such files) was not made by a build and would be lost; "
            "move it away, or give another folder"
        )


def _kept_notes(out: Path, manifest: Manifest) -> str:
    card = out / CARD
    if not card.is_file():
        return ""
    generated, line, notes = card.read_bytes().decode("utf-8", "replace").partition(NOTES_LINE + "\n")
    if sha256_text(generated + line) != manifest.card_sha256:
        raise InputError(
            f"{card}: edited above the notes line, which would be lost; move your text below that line "
            "and restore the rest, or delete the file"
        )
    return notes

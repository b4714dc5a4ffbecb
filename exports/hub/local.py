"""The dataset folder that is to be published, checked before anything is asked of the Hub."""

from __future__ import annotations

import re
from pathlib import Path

from exports.dataset.card import NOTES_LINE
from exports.dataset.layout import CARD, CHANGELOG, MANIFEST
from exports.dataset.manifest import Manifest, file_entry, manifest_bytes, read_manifest
from exports.dataset.verify import verify_folder
from exports.hub.cards import merged_card
from exports.hub.options import PublishOptions
from exports.hub.remote import Remote
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.ids import sha256_text

_CONFIG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_SPLIT = re.compile(r"[A-Za-z0-9_]+")
_LINE = NOTES_LINE + "\n"
MOST_FILES = 50
"""The Hub's loader counts on fewer data files than that."""


class LocalRelease(Record):
    """A sound dataset folder: its manifest, and the bytes of every file by path."""

    folder: Path
    manifest: Manifest
    files: dict[str, bytes]

    @property
    def card(self) -> str:
        """Text of the card."""
        return self.files[CARD].decode("utf-8")

    @property
    def changelog(self) -> str:
        """Text of the changelog."""
        return self.files[CHANGELOG].decode("utf-8")


def read_local(folder: Path, options: PublishOptions) -> LocalRelease:
    """Read and check a dataset folder.

    Raises:
        InputError: no dataset, damaged, a license, split or configuration name that cannot be published, or
            simulated content that was not allowed.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give a dataset folder made by salitrap build")
    manifest = read_manifest(folder)
    _refuse_unusable(folder, manifest)
    findings = verify_folder(folder)
    if findings:
        raise InputError(
            f"{folder}: {findings[0].message} ({len(findings)} findings); nothing was sent; "
            "see salitrap verify"
        )
    if manifest.is_holdout:
        raise InputError(
            f"{folder}: is a private holdout, which is never published; publish the public folder"
        )
    if manifest.simulated and not options.allow_simulated:
        raise InputError(
            f"{folder}: holds simulated content, which is no benchmark; to publish it all the same, for a "
            "rehearsal say, give --allow-simulated"
        )
    paths = (*(entry.path for entry in manifest.files), MANIFEST)
    return LocalRelease(
        folder=folder, manifest=manifest, files={path: (folder / path).read_bytes() for path in paths}
    )


def wanted_files(local: LocalRelease, remote: Remote, options: PublishOptions) -> dict[str, bytes]:
    """Return what the Hub is to hold: the folder's files, with what people wrote into the card there.

    Raises:
        InputError: the generated part of the card was edited on the Hub.
    """
    card = merged_card(local.card, remote, replace=options.replace_card)
    if card == local.card:
        return local.files
    content = card.encode("utf-8")
    entries = [entry for entry in local.manifest.files if entry.path != CARD]
    manifest = local.manifest.model_copy(
        update={
            "card_sha256": sha256_text(card.partition(_LINE)[0] + _LINE),
            "files": tuple(sorted([*entries, file_entry(CARD, content)], key=lambda entry: entry.path)),
        }
    )
    return {**local.files, CARD: content, MANIFEST: manifest_bytes(manifest)}


def same_release(one: Manifest, other: Manifest) -> bool:
    """Say whether two manifests tell of the same release; the card's notes may differ."""
    return _without_card(one) == _without_card(other)


def _without_card(manifest: Manifest) -> Manifest:
    files = tuple(entry for entry in manifest.files if entry.path != CARD)
    return manifest.model_copy(update={"files": files, "card_sha256": ""})


def _refuse_unusable(folder: Path, manifest: Manifest) -> None:
    """What the loader would refuse, and with it every configuration."""
    where = folder / MANIFEST
    if not manifest.license.strip():
        raise InputError(f"{where}: no license; build the dataset again with --license")
    for name, config in manifest.configs.items():
        if _CONFIG.fullmatch(name) is None:
            raise InputError(f"{where}: configuration {name!r}: use letters, digits, '_' and '-' only")
        for split, entry in config.splits.items():
            if _SPLIT.fullmatch(split) is None or split == "all":
                raise InputError(
                    f"{where}: split {split!r} of {name}: use letters, digits and '_', not 'all'"
                )
            if not entry.rows:
                raise InputError(f"{where}: split {split} of {name} is empty, and could not be loaded")
    if len(manifest.files) >= MOST_FILES:
        raise InputError(
            f"{where}: {len(manifest.files)} files; the Hub's loader takes fewer than {MOST_FILES}"
        )

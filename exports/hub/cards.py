"""The card on the Hub and the card of a build made one: what people wrote there stays."""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml

from exports.dataset.card import NOTES_LINE
from exports.dataset.manifest import Manifest
from exports.hub.remote import Remote
from salitrap.errors import InputError
from salitrap.records.ids import sha256_text

_HEAD = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
_BY_CONFIG = ("configs", "dataset_info")


def merged_card(card: str, remote: Remote, *, replace: bool) -> str:
    """Return the card to publish: ours, with foreign metadata and hand-written text of the one on the Hub.

    Below the notes line stands what was written there on the Hub, then what the build has in addition.
    Foreign keys of the metadata, tags and configurations stay; ours win where both have one.

    Raises:
        InputError: the generated part was edited on the Hub, which would be lost, unless ``replace``.
    """
    theirs = remote.head.card if remote.head is not None else ""
    if not theirs.strip():
        return card
    head, body = _split(card)
    their_head, their_body = _split(theirs)
    generated, notes = _at_notes_line(body)
    written = _written_by_people(remote, their_body, replace=replace or _as_generated(remote, theirs))
    merged, kept = _merged_head(head, their_head, _ours_before(remote)), _notes(written, notes)
    return card if merged == head and kept == notes.strip("\n") else _joined(merged, generated, kept)


def _written_by_people(remote: Remote, body: str, *, replace: bool) -> str:
    """The notes of the card on the Hub; all of its text where no build of ours made it."""
    generated, notes = _at_notes_line(body)
    if NOTES_LINE not in body:
        known = _known_manifest(remote) is not None
        if known and not replace:
            raise InputError(_edited(remote.repo))
        return "" if known else body.strip("\n")
    before = remote.released.card if remote.released is not None else ""
    if before and generated != _at_notes_line(_split(before)[1])[0] and not replace:
        raise InputError(_edited(remote.repo))
    return notes.strip("\n")


def _as_generated(remote: Remote, card: str) -> bool:
    """Say whether the generated part is what its own manifest says, as in a release that was never tagged."""
    manifest = _known_manifest(remote)
    generated, line, _ = card.partition(NOTES_LINE + "\n")
    return manifest is not None and sha256_text(generated + line) == manifest.card_sha256


def _edited(repo: str) -> str:
    return (
        f"{repo}: the generated part of the card was edited on the Hub, and publishing would lose that text; "
        "move it below the notes line at the end of the card, or give --replace-card"
    )


def _notes(theirs: str, ours: str) -> str:
    """Their notes, and ours below them unless they are there already."""
    ours = ours.strip("\n")
    parts = [theirs] if theirs else []
    if ours and ours not in theirs:
        parts.append(ours)
    return "\n\n".join(parts)


def _joined(head: dict[str, object], generated: str, notes: str) -> str:
    text = yaml.safe_dump(head, allow_unicode=True, sort_keys=False, width=1000)
    below = f"\n{notes}\n" if notes else ""
    return f"---\n{text}---\n{generated}{NOTES_LINE}\n{below}"


def _merged_head(
    ours: Mapping[str, object], theirs: Mapping[str, object], retired: frozenset[str]
) -> dict[str, object]:
    merged = {**ours, **{key: value for key, value in theirs.items() if key not in ours}}
    merged["tags"] = _union(ours.get("tags"), theirs.get("tags"))
    for key in _BY_CONFIG:
        merged[key] = _with_foreign_configs(ours.get(key), theirs.get(key), retired)
    return merged


def _union(ours: object, theirs: object) -> list[object]:
    first, second = ([*one] if isinstance(one, list) else [] for one in (ours, theirs))
    return [*first, *(tag for tag in second if tag not in first and tag != "simulated")]


def _with_foreign_configs(ours: object, theirs: object, retired: frozenset[str]) -> object:
    """Ours, then the Hub's that neither this nor an earlier release made; only ours may be the default."""
    own = [*ours] if isinstance(ours, list) else []
    names = {str(entry.get("config_name")) for entry in own} | retired
    added = theirs if isinstance(theirs, list) else [theirs] if isinstance(theirs, dict) else []
    foreign = [
        {key: value for key, value in entry.items() if key != "default"}
        for entry in added
        if isinstance(entry, dict) and str(entry.get("config_name", "default")) not in names
    ]
    return [*own, *foreign]


def _ours_before(remote: Remote) -> frozenset[str]:
    manifest = _known_manifest(remote)
    return frozenset(manifest.configs if manifest is not None else ())


def _known_manifest(remote: Remote) -> Manifest | None:
    return remote.head.manifest if remote.head is not None else None


def _at_notes_line(body: str) -> tuple[str, str]:
    generated, _, notes = body.partition(NOTES_LINE + "\n")
    return generated, notes


def _split(card: str) -> tuple[dict[str, object], str]:
    """Front matter and text; metadata that is no mapping is none."""
    text = card.replace("\r\n", "\n")
    found = _HEAD.match(text)
    if found is None:
        return {}, text
    try:
        block = yaml.safe_load(found[1])
    except yaml.YAMLError:
        return {}, text
    return (block if isinstance(block, dict) else {}), text[found.end() :]

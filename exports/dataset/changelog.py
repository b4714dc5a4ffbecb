"""CHANGELOG.md of a dataset: what each version added and removed."""

from __future__ import annotations

from collections.abc import Collection

from exports.dataset.release import Release
from salitrap.records.base import Record

_TITLE = "# Changelog\n"


class Changes(Record):
    """Item ids that came and went since the version ``since``; None for a first release."""

    since: str | None
    added: tuple[str, ...]
    removed: tuple[str, ...]
    kept: int


def changes_between(since: str | None, before: Collection[str], now: Collection[str]) -> Changes:
    """Compare the item ids of an earlier version with those of this one."""
    current, earlier = set(now), set(before)
    return Changes(
        since=since,
        added=tuple(sorted(current - earlier)),
        removed=tuple(sorted(earlier - current)),
        kept=len(current & earlier),
    )


def changelog_text(release: Release, changes: Changes, earlier: str, dialogues: Changes | None = None) -> str:
    """Return the changelog with an entry for ``release`` on top of the ``earlier`` text."""
    return with_entry(release, "\n\n".join([_entry(changes), *_of_dialogues(dialogues)]), earlier)


def with_entry(release: Release, told: str, earlier: str) -> str:
    """Return the ``earlier`` text with what is ``told`` of ``release`` on top."""
    entries = earlier.removeprefix(_TITLE).strip("\n")
    text = f"{_TITLE}\n## {release.version}\n\n{told}\n"
    return f"{text}\n{entries}\n" if entries else text


def comparability_notice(release: Release, changes: Changes) -> tuple[str, ...]:
    """Return a notice when items went but the first number of the version stayed."""
    if not changes.removed or changes.since is None:
        return ()
    major = changes.since.split(".")[0]
    if release.version.split(".")[0] != major:
        return ()
    return (
        f"{len(changes.removed)} items of {changes.since} are gone, so scores are not comparable with it; "
        f"that calls for version {int(major) + 1}.0.0 rather than {release.version}",
    )


def _of_dialogues(changes: Changes | None) -> list[str]:
    """One line on dialogues and their controls; none where there are not and were not any."""
    if changes is None or not (changes.added or changes.removed or changes.kept):
        return []
    gone = "".join(f"\n- removed `{dialogue_id}`" for dialogue_id in changes.removed)
    counts = f"{len(changes.added)} added, {len(changes.removed)} removed, {changes.kept} kept"
    return [f"Dialogues with their controls: {counts}.{gone}"]


def _entry(changes: Changes) -> str:
    if changes.since is None:
        return f"First release: {len(changes.added)} items."
    counts = f"Since {changes.since}: {len(changes.added)} items added, {len(changes.removed)} removed, "
    lines = [f"{counts}{changes.kept} kept."]
    lines += [f"- removed `{item_id}`" for item_id in changes.removed]
    return "\n\n".join([lines[0], "\n".join(lines[1:])]).rstrip("\n")

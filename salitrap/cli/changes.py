"""What the settings of a run that goes on have in them that was otherwise when it was last started."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import err

if TYPE_CHECKING:
    from salitrap.settings import Settings

ABSENT = "nothing"


def tell_changes(directory: Path, settings: Settings) -> None:
    """Say what differs from the last revision of the run in ``directory``, one line a setting.

    Raises:
        RunDirectoryError: ``run.yaml`` is damaged or of a newer version.
    """
    from curation.directory import Layout, read_revisions

    layout = Layout(directory)
    if not layout.run_file.is_file():
        return
    last = read_revisions(layout)[-1]
    changed = list(changes(last.settings, settings))
    for line in changed:
        err().print(f"changed since revision {last.number}: {line}", soft_wrap=True)
    if changed:
        err().print(
            f"{directory} goes on with these settings; replies in its journal are kept.", soft_wrap=True
        )


def changes(before: Settings, now: Settings) -> Iterator[str]:
    """``targets.default.zh: 2 -> 1`` for each setting that differs."""
    old, new = (dict(_leaves(settings.model_dump(mode="json"), "")) for settings in (before, now))
    for name in dict.fromkeys((*old, *new)):
        if (was := old.get(name)) != (is_now := new.get(name)):
            yield f"{name}: {_shown(was)} -> {_shown(is_now)}"


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Dotted names and plain values, ``None`` left out."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _leaves(inner, f"{name}[{place}]")
    elif value is not None:
        yield name, value


def _shown(value: Any) -> str:
    return ABSENT if value is None else str(value)

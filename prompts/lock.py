"""The lock file of the prompts: ``id@version/language`` -> sha256 of the file.

``python -m prompts.lock`` brings ``lock.json`` up to date after an edit. An entry that has been
released is never rewritten: give the file a new version. ``python -m prompts.lock --release``
marks everything that is locked as released; it belongs to the steps of a release.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from prompts.loader import load_prompt, prompt_ids
from prompts.source import PromptSource
from prompts.strategies import load_strategies
from salitrap.errors import SalitrapError
from salitrap.records.base import Record
from salitrap.records.enums import Language

LOCK_PATH = Path(__file__).with_name("lock.json")


class Lock(Record):
    """Hashes by ``id@version/language``; those in ``released`` may not change any more."""

    released: tuple[str, ...] = ()
    sha256: dict[str, str] = {}


def current_hashes(source: PromptSource = load_prompt) -> dict[str, str]:
    """Hash of every prompt of ``source`` and of every strategy file, by ``id@version/language``."""
    found: dict[str, str] = {}
    for language in Language:
        prompts = [source(prompt_id, language) for prompt_id in prompt_ids()]
        found.update({str(prompt.ref): prompt.sha256 for prompt in prompts})
        texts = load_strategies(language)
        found[f"{texts.id}@{texts.version}/{language.value}"] = texts.sha256
    return found


def read_lock(path: Path = LOCK_PATH) -> Lock:
    """Read the lock file; a missing one is an empty lock."""
    return Lock.model_validate_json(path.read_text("utf-8")) if path.exists() else Lock()


def lock_faults(lock: Lock, found: Mapping[str, str]) -> tuple[str, ...]:
    """One message for each file whose content is not the one locked under its version."""
    return tuple(
        f"{name}: content is not the locked one; give it a new version"
        if name in lock.released
        else f"{name}: not locked with this content; run python -m prompts.lock"
        for name, sha256 in sorted(found.items())
        if lock.sha256.get(name) != sha256
    )


def updated(lock: Lock, found: Mapping[str, str]) -> Lock:
    """``lock`` with the hashes of ``found``; released entries stay for ever, others follow the files.

    Raises:
        SalitrapError: a released file has changed.
    """
    changed = [name for name in lock.released if name in found and found[name] != lock.sha256[name]]
    if changed:
        raise SalitrapError(f"released prompts changed: {', '.join(changed)}; give each a new version")
    kept = {name: lock.sha256[name] for name in lock.released}
    return Lock(released=lock.released, sha256={**kept, **found})


def released(lock: Lock) -> Lock:
    """``lock`` with every entry marked as released."""
    return lock.model_copy(update={"released": tuple(sorted(lock.sha256))})


def write_lock(lock: Lock, path: Path = LOCK_PATH) -> None:
    """Write the lock file with one entry a line."""
    text = json.dumps(lock.model_dump(mode="json"), indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def main(arguments: Sequence[str], path: Path = LOCK_PATH) -> None:
    """Rewrite the lock at ``path``; with ``--release`` freeze it."""
    lock = updated(read_lock(path), current_hashes())
    write_lock(released(lock) if "--release" in arguments else lock, path)


if __name__ == "__main__":
    main(sys.argv[1:])

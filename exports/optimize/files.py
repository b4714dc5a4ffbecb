"""New instructions on disk: one prompt file a language, with where they come from. Nothing is overwritten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from exports.dataset.disk import disk_faults, write_file
from exports.optimize.student import named
from prompts.loader import FENCE, Prompt, PromptScore, normalised, parse_prompt
from salitrap.errors import InputError
from salitrap.records.enums import Language
from salitrap.records.ids import sha256_text

WIDE = 10_000
SAVING = "optimize.saving.json"
"""Note of the files that are about to be written; gone when all of them are."""

_NOTE = TypeAdapter(dict[str, list[str]])
KEPT = ("id", "role", "language", "purpose", "inputs", "outputs")


def prompt_file(out: Path, language: Language, prompt_id: str) -> Path:
    """Where instructions lie in a folder of one's own."""
    return out / language.value / f"{prompt_id}.md"


def refuse_existing(out: Path, paths: Iterable[Path]) -> None:
    """Check that nothing is there yet, but for what an interrupted save in ``out`` left.

    Raises:
        InputError: something is, or the note of an interrupted save cannot be read.
    """
    left = _left_behind(out)
    for path in paths:
        if path.exists() and _sha256_of(path) not in left.get(_name(out, path), ()):
            raise InputError(f"{path}: is there already and is not overwritten; choose another --out")


def written_prompt(parent: Prompt, text: str, score: PromptScore) -> str:
    """Content of the file: the parent's front matter with the next version, its parent and its score."""
    about = parent.model_dump(mode="json", include=set(KEPT))
    front = {
        "id": about["id"],
        "version": parent.version + 1,
        **{name: about[name] for name in KEPT[1:]},
        "parent": named(parent),
        "score": score.model_dump(mode="json", exclude_none=True),
    }
    head = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=WIDE, default_flow_style=None)
    content = normalised(f"{FENCE}\n{head}{FENCE}\n{text.strip()}\n")
    parse_prompt(content, parent.id, parent.language)
    return content


def save_prompts(out: Path, contents: Mapping[Path, str]) -> None:
    """Write new files in ``out``, each whole or not at all.

    What is about to be written is noted first and the note goes last: after a kill in between the same
    command knows the files that are there for its own, and writes all of them again.

    Raises:
        InputError: a file is there already, or cannot be written.
        DiskFull: there is no space left.
    """
    if not contents:
        return
    refuse_existing(out, contents)
    note, noted = out / SAVING, _left_behind(out)
    for path, content in contents.items():
        noted.setdefault(_name(out, path), []).append(sha256_text(content))
    _replace(note, json.dumps(noted))
    for path, content in contents.items():
        _replace(path, content)
    with disk_faults(note):
        note.unlink()


def _replace(path: Path, content: str) -> None:
    part = path.with_name(f"{path.name}.part")
    with disk_faults(path):
        write_file(part, content.encode())
        part.replace(path)


def _left_behind(out: Path) -> dict[str, list[str]]:
    """SHA-256 by name of the files that interrupted saves were about to write; none without one."""
    note = out / SAVING
    if not note.exists():
        return {}
    try:
        return _NOTE.validate_json(note.read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(f"{note}: cannot be read; remove it, or choose another --out") from error


def _name(out: Path, path: Path) -> str:
    return path.relative_to(out).as_posix()


def _sha256_of(path: Path) -> str:
    with disk_faults(path):
        return sha256(path.read_bytes()).hexdigest()

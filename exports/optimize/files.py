"""New instructions on disk: one prompt file a language, with where they come from. Nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

import yaml

from exports.dataset.disk import disk_faults
from exports.optimize.student import named
from prompts.loader import FENCE, Prompt, PromptScore, normalised, parse_prompt
from salitrap.errors import InputError
from salitrap.records.enums import Language

WIDE = 10_000
KEPT = ("id", "role", "language", "purpose", "inputs", "outputs")


def prompt_file(out: Path, language: Language, prompt_id: str) -> Path:
    """Where instructions lie in a folder of one's own."""
    return out / language.value / f"{prompt_id}.md"


def refuse_existing(paths: list[Path]) -> None:
    """Check that nothing is there yet.

    Raises:
        InputError: something is.
    """
    for path in paths:
        if path.exists():
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


def save_prompt(path: Path, content: str) -> None:
    """Write a new file.

    Raises:
        InputError: it is there already, or cannot be written.
        DiskFull: there is no space left.
    """
    with disk_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(content)
        except FileExistsError:
            refuse_existing([path])

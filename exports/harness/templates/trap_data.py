"""Rows of this dataset: from the folder that these files lie in, another folder, or the Hub at a tag.

Needs nothing for a folder, and huggingface_hub for the Hub. Every file is held against manifest.json.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

HARNESS = Path(__file__).resolve().parents[1]
FOLDER = HARNESS.parent
MANIFEST = "manifest.json"

Row = dict[str, Any]
Fetch = Callable[[str], bytes]


def release() -> dict[str, Any]:
    """Name, version, license, canary, splits and judge of the release that these files belong to."""
    found: dict[str, Any] = json.loads((HARNESS / "release.json").read_text(encoding="utf-8"))
    return found


def rows(config: str, split: str = "", dataset: str = "", language: str = "") -> list[Row]:
    """Rows of one split of ``items`` or ``dialogues``; by default the one to report on.

    ``dataset`` is "" for the folder around these files, a path, or ``ORG/NAME@v1.0.0``; without a tag it
    is the release of these files. ``language`` is en or zh, "" for all.

    Raises:
        ValueError: no such place, configuration, split or language, another version than asked for, or a
            file that differs from the manifest.
    """
    fetch = source(dataset)
    manifest = json.loads(fetch(MANIFEST))
    splits = manifest["configs"].get(config, {}).get("splits", {})
    if not splits:
        raise ValueError(f"{manifest['name']} {manifest['version']} has no {config}")
    chosen = split or ("test" if "test" in splits else next(iter(splits)))
    if chosen not in splits:
        raise ValueError(f"no split {chosen!r} of {config}; there are {', '.join(splits)}")
    text = _checked(fetch, manifest, splits[chosen]["jsonl"]).decode("utf-8")
    found = [json.loads(line) for line in text.split("\n") if line]
    kept = [row for row in found if language in ("", row["language"])]
    if not kept:
        raise ValueError(f"no {config} in language {language!r} in split {chosen!r}")
    return kept


def source(dataset: str) -> Fetch:
    """Where the bytes of a file come from.

    Raises:
        ValueError: no dataset lies around these files, and none was named.
    """
    folder = Path(dataset) if dataset else FOLDER
    if "@" not in dataset and (folder / MANIFEST).is_file():
        return lambda path: (folder / path).read_bytes()
    if not dataset:
        raise ValueError(
            f"{FOLDER}: no {MANIFEST}; give dataset=ORG/NAME@v{release()['version']}, or a folder"
        )
    repository, _, revision = dataset.partition("@")
    return _hub(repository, revision or f"v{release()['version']}")


def _hub(repository: str, revision: str) -> Fetch:
    """Files of one revision; unlike a loader's cache, never those of another one."""
    from huggingface_hub import hf_hub_download

    def fetch(path: str) -> bytes:
        place = hf_hub_download(repository, path, repo_type="dataset", revision=revision)
        content = Path(place).read_bytes()
        if path == MANIFEST and revision.startswith("v") and json.loads(content)["version"] != revision[1:]:
            raise ValueError(
                f"{repository}@{revision}: its manifest is of version {json.loads(content)['version']}"
            )
        return content

    return fetch


def _checked(fetch: Fetch, manifest: dict[str, Any], path: str) -> bytes:
    content = fetch(path)
    wanted = next(entry["sha256"] for entry in manifest["files"] if entry["path"] == path)
    if hashlib.sha256(content).hexdigest() != wanted:
        raise ValueError(f"{path}: differs from {MANIFEST}; fetch the dataset again")
    return content

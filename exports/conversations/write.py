"""Write converted dialogues, a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from exports.conversations.formats import Format, converted
from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.disk import disk_faults
from salitrap.errors import InputError


def write_conversations(rows: Sequence[PublishedDialogue], to: Format, out: Path, *, force: bool) -> None:
    """Write ``rows`` to ``out``, whole or not at all; folders are made as needed.

    Raises:
        InputError: ``out`` is a folder, or is there and not to be replaced (``force``), or cannot be written.
        DiskFull: no room; what was there stays.
    """
    if out.is_dir():
        raise InputError(f"--out {out}: a folder; give the path of a file")
    if out.exists() and not force:
        raise InputError(f"--out {out}: is there already; give another path, or --force to write over it")
    lines = (json.dumps(converted(row, to), ensure_ascii=False) + "\n" for row in rows)
    partial = out.with_name(out.name + ".partial")
    with disk_faults(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text("".join(lines), encoding="utf-8", newline="\n")
            partial.replace(out)
        finally:
            partial.unlink(missing_ok=True)

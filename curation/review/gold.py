"""Labels of answers as a gold file, in the form that ``salitrap calibrate --gold`` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curation.directory.derived import write_lines
from curation.opinions import AnswerLabel
from curation.registry import Registry
from curation.registry.people import all_labels
from salitrap.errors import InputError


def export_gold(registry: Registry, file: Path) -> int:
    """Write one line for each label of each reviewer, by answer, then by name; returns how many.

    Raises:
        InputError: nobody has labelled an answer.
        DiskFull: the file could not be written; an earlier one is untouched.
    """
    labels = tuple(all_labels(registry))
    if not labels:
        raise InputError(
            f"{registry.path.parent}: nobody has labelled an answer yet; do so with salitrap review"
        )
    write_lines(file, (gold_line(label) for label in labels))
    return len(labels)


def gold_line(said: AnswerLabel) -> dict[str, Any]:
    """One line; answers to texts of one seed resemble each other, so the seed is their ``question``."""
    line = said.model_dump(
        mode="json",
        include={"prompt", "trap_core", "ground_truth", "language", "dimension_tag", "answer", "label"},
    )
    return {
        **line,
        "answer_id": said.answer_id,
        "question": said.seed_id,
        "labelled_by": said.author,
        "quote": said.quote,
        "rationale": said.note,
    }

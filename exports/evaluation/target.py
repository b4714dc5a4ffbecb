"""The file that an evaluation writes, its journal beside it, and what must not be lost by writing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from curation.directory import Lock
from exports.dataset.disk import disk_faults
from exports.evaluation.evalset import Evalset
from exports.evaluation.given import GivenAnswer
from exports.evaluation.models import judge_name, models_of
from exports.evaluation.setup import Setup, setup_of
from salitrap.errors import InputError
from salitrap.records.label_row import CONTROL, LabelRow
from salitrap.settings import Settings

RowKey = tuple[str, str, str, int, int, str, str, Setup]


@dataclass(frozen=True, slots=True)
class Target:
    """Where label rows go."""

    out: Path

    @property
    def journal(self) -> Path:
        """Every model call of the evaluation; what makes it resumable."""
        return self.out.with_name(self.out.name + ".journal.sqlite")

    @property
    def partial(self) -> Path:
        """Rows so far, in order; becomes ``out`` when the evaluation is complete."""
        return self.out.with_name(self.out.name + ".partial")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from the same file.

        Raises:
            RunDirectoryError: another process is at it.
        """
        with disk_faults(self.out):
            lock = Lock(self.out.with_name(self.out.name + ".lock"), f"{self.out}", "choose another --out")
        with lock:
            yield

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Yield the partial file; it takes the place of ``out`` when the block ends well.

        Raises:
            DiskFull: no room; rows so far stay in the partial file, replies in the journal.
            InputError: the place cannot be written.
        """
        with disk_faults(self.partial):
            with self.partial.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            self.partial.replace(self.out)


def open_target(out: Path, promised: set[RowKey]) -> Target:
    """Check that ``out`` can be written without losing a row that this evaluation will not write again.

    Raises:
        InputError: it is a folder or a foreign file, or holds rows that are not among ``promised``.
    """
    target = Target(out)
    with disk_faults(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    if out.is_dir():
        raise InputError(f"{out}: is a folder; give a file, such as {out / 'labels.jsonl'}")
    if out.exists():
        _refuse_loss(target, promised)
    return target


def promised_by(evalset: Evalset, settings: Settings, repeats: int) -> set[RowKey]:
    """Keys of the rows that an evaluation writes."""
    judge = judge_name(settings)
    return {
        (model.name, item.item_id, CONTROL, repeat, 0, judge, evalset.revision, model.setup)
        for model in models_of(settings)
        for item in evalset.items
        for repeat in range(repeats)
    }


def promised_for(evalset: Evalset, answers: Sequence[GivenAnswer], settings: Settings) -> set[RowKey]:
    """Keys of the rows that judging ``answers`` writes."""
    judge = judge_name(settings)
    return {
        (
            given.model,
            given.item_id,
            given.arm,
            given.repeat,
            given.turn,
            judge,
            evalset.revision,
            given.setup,
        )
        for given in answers
    }


def row_key(row: LabelRow) -> RowKey:
    """What a row is about: equal keys mean the same question, asked in the same way, and the same judge."""
    about = (row.model, row.item_id, row.arm, row.repeat, row.turn, row.judge, row.dataset_revision)
    return (*about, setup_of(row))


def _refuse_loss(target: Target, promised: set[RowKey]) -> None:
    lost = [row for row in _rows(target.out) if row_key(row) not in promised]
    if lost:
        raise InputError(
            f"{target.out}: holds {len(lost)} rows that this command would not write again "
            f"(the first: {_described(lost[0])}); choose another --out"
        )
    if not target.journal.exists():
        raise InputError(
            f"{target.out}: exists, but its journal {target.journal.name} does not, so that every call would "
            "be paid again; put the journal back, move the file away, or choose another --out"
        )


def _described(row: LabelRow) -> str:
    where = f" at endpoint {row.endpoint_id}" if row.endpoint_id else ""
    sampling = f"temperature {row.temperature}, max_tokens {row.max_tokens}"
    return f"{row.model}{where}, {sampling}, {row.item_id}, judge {row.judge or 'unknown'}"


def _rows(path: Path) -> Iterator[LabelRow]:
    with disk_faults(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            row = None
            with suppress(ValidationError):
                row = LabelRow.model_validate_json(line)
            if row is None:
                raise InputError(f"{path}:{number}: exists and is no label row; choose another --out")
            yield row

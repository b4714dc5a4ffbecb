"""Put what people filled in into the registry, as the review page does: events with author and time.

Everything is looked at before anything is written. A row that says what is there already changes nothing, so
that a file can be imported as often as one likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curation.labels.argilla import UNFINISHED
from curation.labels.claims import Claim, ClaimReader, RowFault
from curation.labels.ledger import Entry, contradictions, new_claims
from curation.labels.read import Numbered
from curation.labels.rows import Row, What
from curation.opinions import RejectReason, Verdict
from curation.review.desk import Desk
from salitrap.records.base import Record


class Problem(Record):
    """A row that cannot be taken: its number in the file, the column, and what to do."""

    row: int
    column: str
    message: str


class Applied(Record):
    """What an import came to: things said, said before, left empty, and rows that cannot be taken.

    ``passed_over`` are rows whose ``status`` says that nobody has submitted them.
    """

    labels: int = 0
    decisions: int = 0
    texts: int = 0
    unchanged: int = 0
    empty: int = 0
    passed_over: int = 0
    problems: tuple[Problem, ...] = ()


def apply_rows(
    reader: ClaimReader,
    what: What,
    rows: Sequence[Numbered],
    *,
    dry_run: bool = False,
    skip_bad: bool = False,
) -> Applied:
    """Look at all rows, then write what is new: nothing when a row is bad, unless those are skipped.

    Raises:
        DiskFull: something could not be written; what was written stays, and the same command goes on.
    """
    read = _read(reader, what, rows)
    clashes = contradictions(read.entries)
    sound = [entry for place, entry in enumerate(read.entries) if place not in clashes]
    problems = sorted(
        [*read.problems, *(_problem(read.entries[place].number, *clash) for place, clash in clashes.items())],
        key=lambda problem: problem.row,
    )
    fresh = new_claims(sound)
    new = [claim for claims in fresh for claim in claims]
    if not dry_run and (skip_bad or not problems):
        for claim in new:
            _write(reader, claim)
    kinds = [claim.kind for claim in new]
    return Applied(
        labels=kinds.count("label"),
        decisions=kinds.count("decision"),
        texts=kinds.count("text"),
        unchanged=sum(not claims for claims in fresh),
        empty=read.empty,
        passed_over=read.passed_over,
        problems=tuple(problems),
    )


@dataclass(slots=True)
class _Read:
    """The rows of a file: those that say something, those that cannot be taken, and how many do neither."""

    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    empty: int = 0
    passed_over: int = 0


def _read(reader: ClaimReader, what: What, rows: Sequence[Numbered]) -> _Read:
    read = _Read()
    for number, row in rows:
        if row.get("status", "").strip().casefold() in UNFINISHED:
            read.passed_over += 1
            continue
        try:
            claims = list(reader.claims(row, what))
        except RowFault as fault:
            read.problems.append(_problem(number, fault.column, str(fault)))
            continue
        if _is_filled(row):
            read.entries.append(Entry(number, claims))
        else:
            read.empty += 1
    return read


def _problem(number: int, column: str, message: str) -> Problem:
    return Problem(row=number, column=column, message=message)


def _is_filled(row: Row) -> bool:
    return any(row.get(name, "").strip() for name in ("label", "decision", "new_prompt"))


def _write(reader: ClaimReader, claim: Claim) -> None:
    """Say it.

    Raises:
        Refused: the registry has changed since it was looked at.
    """
    desk = Desk(reader.registry, reader.settings, claim.author)
    if claim.kind == "label":
        assert claim.label is not None
        desk.label(claim.candidate_id, claim.repeat, claim.label, claim.quote, claim.note)
    elif claim.kind == "text":
        desk.edit(claim.candidate_id, claim.prompt, claim.note)
    elif claim.verdict is Verdict.ACCEPTED:
        desk.accept(claim.candidate_id, claim.note)
    else:
        desk.reject(claim.candidate_id, claim.reason or RejectReason.OTHER, claim.note)

"""Put what people filled in into the registry, as the review page does: events with author and time.

Everything is looked at before anything is written. A row that says what is there already changes nothing, so
that a file can be imported as often as one likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curation.labels.claims import Claim, ClaimReader, RowFault
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
    """What an import came to: things said, said before, left empty, and rows that cannot be taken."""

    labels: int = 0
    decisions: int = 0
    texts: int = 0
    unchanged: int = 0
    empty: int = 0
    problems: tuple[Problem, ...] = ()


class Ledger:
    """The claims of a file so far; nobody may say two things about the same."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str, str], tuple[int, Claim]] = {}

    def take(self, number: int, claims: Sequence[Claim]) -> Iterator[Claim]:
        """Yield those of a row that are said for the first time, in the file and in the registry.

        Raises:
            RowFault: an earlier row of the same author says something else.
        """
        for claim in claims:
            author = "" if claim.kind == "text" else claim.author  # a text is new once, whoever brings it
            at, held = self._held.setdefault((claim.kind, author, claim.about), (number, claim))
            if held.content != claim.content:
                told = f"row {at} says something else about the same, for {claim.author}; keep one of the two"
                raise RowFault(_COLUMN[claim.kind], told)
            if at == number and not claim.known:
                yield claim


_COLUMN = {"label": "label", "decision": "decision", "text": "new_prompt"}


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
    problems, new, ledger = list[Problem](), list[Claim](), Ledger()
    unchanged = empty = 0
    for number, row in rows:
        try:
            found = list(ledger.take(number, list(reader.claims(row, what))))
        except RowFault as fault:
            problems.append(Problem(row=number, column=fault.column, message=str(fault)))
            continue
        new += found
        unchanged += _is_filled(row) and not found
        empty += not _is_filled(row)
    if not dry_run and (skip_bad or not problems):
        for claim in new:
            _write(reader, claim)
    kinds = [claim.kind for claim in new]
    return Applied(
        labels=kinds.count("label"),
        decisions=kinds.count("decision"),
        texts=kinds.count("text"),
        unchanged=unchanged,
        empty=empty,
        problems=tuple(problems),
    )


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

"""Put what people filled in into the registry, as the review page does: events with author and time.

Everything is looked at before anything is written. A row that says what is there already changes nothing, so
that a file can be imported as often as one likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.labels.read import Numbered
from curation.labels.rows import Row, What
from curation.labels.words import label_of, reason_of, verdict_of
from curation.opinions import RejectReason, Verdict, answer_id_of
from curation.registry import Registry
from curation.registry.people import edits_of, labels_of, opinions_of
from curation.registry.queries import seed_of
from curation.review.desk import Desk, Refused
from curation.review.opening import checked_name
from curation.review.reading import answer_at, candidate_of
from salitrap.errors import InputError
from salitrap.records import Candidate, Label
from salitrap.records.base import Record
from salitrap.settings import Settings


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


class _Fault(Exception):
    """What is wrong with a row."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


class Said(NamedTuple):
    """What a row says, checked: a label of an answer, a decision, or another text."""

    kind: str
    author: str
    candidate_id: str
    repeat: int = 0
    label: Label | None = None
    verdict: Verdict | None = None
    reason: RejectReason | None = None
    quote: str = ""
    note: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads rows against a registry; ``overwrite`` lets decisions stand against later ones of others."""

    registry: Registry
    settings: Settings
    reviewer: str
    overwrite: bool = False

    def said(self, row: Row, what: What) -> Iterator[Said]:
        """What a row says that is not there yet.

        Raises:
            _Fault: it cannot be taken.
        """
        author = self._author(row)
        yield from self._label(row, author) if what is What.ANSWERS else self._decision(row, author)

    def write(self, said: Said) -> None:
        """Say it.

        Raises:
            Refused: the registry has changed since it was looked at.
        """
        desk = Desk(self.registry, self.settings, said.author)
        if said.kind == "label":
            assert said.label is not None
            desk.label(said.candidate_id, said.repeat, said.label, said.quote, said.note)
        elif said.kind == "text":
            desk.edit(said.candidate_id, said.prompt, said.note)
        elif said.verdict is Verdict.ACCEPTED:
            desk.accept(said.candidate_id, said.note)
        else:
            desk.reject(said.candidate_id, said.reason or RejectReason.OTHER, said.note)

    def _author(self, row: Row) -> str:
        try:
            return checked_name(row.get("reviewer", "").strip() or self.reviewer)
        except InputError as error:
            raise _Fault("reviewer", str(error)) from error

    def _candidate(self, row: Row) -> Candidate:
        candidate_id = row.get("candidate_id", "").strip()
        found = candidate_of(self.registry, candidate_id) if candidate_id else None
        if found is None:
            told = f"{candidate_id!r} is no candidate of this run; give the run that it was exported from"
            raise _Fault("candidate_id", told)
        _same_text(row, "prompt", found.prompt)
        return found

    def _label(self, row: Row, author: str) -> Iterator[Said]:
        candidate = self._candidate(row)
        repeat = _whole(row, "repeat")
        answer = answer_at(self.registry, candidate.candidate_id, repeat)
        if answer is None or not answer.text:
            raise _Fault("repeat", f"there is no answer {repeat} to {candidate.candidate_id}")
        _same_text(row, "answer", answer.text)
        answer_id = answer_id_of(candidate.prompt, answer.text)
        if row.get("answer_id", answer_id).strip() != answer_id:
            raise _Fault("answer_id", "it belongs to another answer; do not sort columns apart")
        if not row.get("label", "").strip():
            return
        label = label_of(row["label"])
        if label is None:
            known = ", ".join(one.value for one in Label)
            raise _Fault("label", f"{row['label'].strip()!r} is no label; use one of {known}")
        quote, note = row.get("quote", "").strip(), row.get("note", "").strip()
        if quote and quote not in answer.text:
            raise _Fault("quote", "it does not occur in the answer; copy it as it is")
        held = next((one for one in labels_of(self.registry, answer_id) if one.author == author), None)
        if held is None or (held.label, held.quote, held.note) != (label, quote, note):
            yield Said("label", author, candidate.candidate_id, repeat, label, quote=quote, note=note)

    def _decision(self, row: Row, author: str) -> Iterator[Said]:
        candidate, note = self._candidate(row), row.get("note", "").strip()
        if text := row.get("new_prompt", "").strip():
            yield from self._text(candidate, text, author, note)
        if not row.get("decision", "").strip():
            return
        verdict, reason = verdict_of(row["decision"]), reason_of(row.get("reason", ""))
        if verdict is None:
            raise _Fault("decision", f"{row['decision'].strip()!r} is no decision; use accept or reject")
        if verdict is Verdict.REJECTED and reason is None:
            known = ", ".join(one.value for one in RejectReason)
            raise _Fault("reason", f"a rejection needs one of {known}")
        if verdict is Verdict.REJECTED and reason is RejectReason.OTHER and not note:
            raise _Fault("note", "say in a few words why, since the reason is 'other'")
        wanted = (verdict, reason if verdict is Verdict.REJECTED else None, note)
        said = opinions_of(self.registry, candidate.candidate_id)
        mine = next((one for one in said if one.author == author), None)
        if mine is not None and (mine.verdict, mine.reason, mine.note) == wanted:
            return
        self._refuse_conflict(row, [one for one in said if one.author != author])
        yield Said("decision", author, candidate.candidate_id, verdict=verdict, reason=wanted[1], note=note)

    def _refuse_conflict(self, row: Row, others: Sequence[object]) -> None:
        """Somebody else decided after the file went out."""
        known = _whole(row, "said_before")
        later = [one for one in others if getattr(one, "number", 0) > known]
        if later and not self.overwrite:
            told = getattr(later[-1], "told", "")
            raise _Fault("decision", f"meanwhile {told}; export again, or give --overwrite")

    def _text(self, parent: Candidate, text: str, author: str, note: str) -> Iterator[Said]:
        seed = seed_of(self.registry, parent.seed_id)
        assert seed is not None
        if any(one.prompt == text for one in edits_of(self.registry, parent.seed_id)):
            return
        faults = Desk(self.registry, self.settings, author).faults_of(seed, parent, text)
        if faults:
            raise _Fault("new_prompt", "; ".join(f"{fault.value}: {why}" for fault, why in faults))
        yield Said("text", author, parent.candidate_id, prompt=text, note=note)


def apply_rows(
    importer: Importer, what: What, rows: Sequence[Numbered], *, dry_run: bool = False, skip_bad: bool = False
) -> Applied:
    """Look at all rows, then write what is new: nothing when a row is bad, unless those are skipped.

    Raises:
        DiskFull: something could not be written; what was written stays, and the same command goes on.
    """
    problems, sayings = list[Problem](), list[Said]()
    unchanged = empty = 0
    for number, row in rows:
        try:
            found = list(importer.said(row, what))
        except _Fault as fault:
            problems.append(Problem(row=number, column=fault.column, message=str(fault)))
            continue
        sayings += found
        filled = any(row.get(name, "").strip() for name in ("label", "decision", "new_prompt"))
        unchanged += filled and not found
        empty += not filled
    if not dry_run and (skip_bad or not problems):
        for said in sayings:
            _written(importer, said)
    kinds = [said.kind for said in sayings]
    return Applied(
        labels=kinds.count("label"),
        decisions=kinds.count("decision"),
        texts=kinds.count("text"),
        unchanged=unchanged,
        empty=empty,
        problems=tuple(problems),
    )


def _written(importer: Importer, said: Said) -> None:
    try:
        importer.write(said)
    except Refused as error:
        if said.kind != "text":  # two rows may bring the same text
            raise InputError(f"{said.candidate_id}: {error}") from error


def _same_text(row: Row, column: str, wanted: str) -> None:
    if column in row and _plain(row[column]) != _plain(wanted):
        raise _Fault(column, "it is not the text of the run; a text is changed in the column new_prompt only")


def _plain(text: str) -> str:
    """Text without what spreadsheets change: line ends, and blanks around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffd", "?").strip()


def _whole(row: Row, column: str) -> int:
    try:
        return int(float(row.get(column, "").strip()))
    except ValueError as error:
        raise _Fault(column, f"{row.get(column, '')!r} is no number; leave this column as it was") from error

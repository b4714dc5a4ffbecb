"""What a row says, read against the registry; nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.labels.rows import Row, What
from curation.labels.words import label_of, reason_of, verdict_of
from curation.opinions import Opinion, RejectReason, Verdict, answer_id_of
from curation.registry import Registry
from curation.registry.people import edits_of, labels_of, opinions_of
from curation.registry.queries import seed_of
from curation.review.desk import LONGEST_NOTE, LONGEST_TEXT, Desk, Refused, cleaned
from curation.review.opening import checked_name
from curation.review.reading import answer_at, candidate_of, texts_of
from salitrap.errors import InputError
from salitrap.records import Candidate, Label
from salitrap.settings import Settings

_WHOLE = re.compile(r"\d{1,9}(\.0+)?")
"""A count as spreadsheets write it back."""


class RowFault(Exception):
    """What is wrong with a row."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


class Claim(NamedTuple):
    """What a row says: a label of an answer, a decision, or another text.

    ``about`` names the answer, the candidate or the text; two claims of one author about the same must agree.
    ``known`` tells that it was said before.
    """

    kind: str
    author: str
    about: str
    candidate_id: str
    repeat: int = 0
    label: Label | None = None
    verdict: Verdict | None = None
    reason: RejectReason | None = None
    quote: str = ""
    note: str = ""
    prompt: str = ""
    known: bool = False

    @property
    def content(self) -> tuple[object, ...]:
        """What is claimed, apart from where; of a text the words alone."""
        if self.kind == "text":
            return (self.prompt,)
        return (self.label, self.verdict, self.reason, self.quote, self.note)


@dataclass(frozen=True, slots=True)
class ClaimReader:
    """Reads rows; ``overwrite`` lets decisions stand against later ones of others."""

    registry: Registry
    settings: Settings
    reviewer: str
    overwrite: bool = False

    def claims(self, row: Row, what: What) -> Iterator[Claim]:
        """What a row says.

        Raises:
            RowFault: it cannot be taken.
        """
        author = self._author(row)
        yield from self._label(row, author) if what is What.ANSWERS else self._decision(row, author)

    def _author(self, row: Row) -> str:
        try:
            return checked_name(row.get("reviewer", "").strip() or self.reviewer)
        except InputError as error:
            raise RowFault("reviewer", str(error)) from error

    def _candidate(self, row: Row) -> Candidate:
        candidate_id = row.get("candidate_id", "").strip()
        found = candidate_of(self.registry, candidate_id) if candidate_id else None
        if found is None:
            told = f"{candidate_id!r} is no candidate of this run; give the run that it was exported from"
            raise RowFault("candidate_id", told)
        _same_text(row, "prompt", found.prompt)
        return found

    def _label(self, row: Row, author: str) -> Iterator[Claim]:
        candidate = self._candidate(row)
        repeat = _whole(row, "repeat")
        answer = answer_at(self.registry, candidate.candidate_id, repeat)
        if answer is None or not answer.text:
            raise RowFault("repeat", f"there is no answer {repeat} to {candidate.candidate_id}")
        _same_text(row, "answer", answer.text)
        answer_id = answer_id_of(candidate.prompt, answer.text)
        if row.get("answer_id", answer_id).strip() != answer_id:
            raise RowFault("answer_id", "it belongs to another answer; do not sort columns apart")
        if not row.get("label", "").strip():
            return
        label = label_of(row["label"])
        if label is None:
            known = ", ".join(one.value for one in Label)
            raise RowFault("label", f"{row['label'].strip()!r} is no label; use one of {known}")
        quote, note = _text(row, "quote", LONGEST_NOTE), _text(row, "note", LONGEST_NOTE)
        if quote and quote not in answer.text:
            raise RowFault("quote", "it does not occur in the answer; copy it as it is")
        held = next((one for one in labels_of(self.registry, answer_id) if one.author == author), None)
        yield Claim(
            "label", author, answer_id, candidate.candidate_id, repeat, label, quote=quote, note=note,
            known=held is not None and (held.label, held.quote, held.note) == (label, quote, note),
        )  # fmt: skip

    def _decision(self, row: Row, author: str) -> Iterator[Claim]:
        candidate, note = self._candidate(row), _text(row, "note", LONGEST_NOTE)
        if row.get("new_prompt", "").strip():
            yield self._new_text(row, candidate, author, note)
        if not row.get("decision", "").strip():
            return
        verdict, reason = _verdict(row, note)
        said = opinions_of(self.registry, candidate.candidate_id)
        mine = next((one for one in said if one.author == author), None)
        known = mine is not None and (mine.verdict, mine.reason, mine.note) == (verdict, reason, note)
        if not known:
            self._refuse_conflict(row, [one for one in said if one.author != author])
        yield Claim(
            "decision", author, candidate.candidate_id, candidate.candidate_id, verdict=verdict,
            reason=reason, note=note, known=known,
        )  # fmt: skip

    def _refuse_conflict(self, row: Row, others: Sequence[Opinion]) -> None:
        """Somebody else decided after the file went out."""
        known = _whole(row, "said_before")
        later = [one for one in others if one.number > known]
        if later and not self.overwrite:
            raise RowFault("decision", f"meanwhile {later[-1].told}; export again, or give --overwrite")

    def _new_text(self, row: Row, parent: Candidate, author: str, note: str) -> Claim:
        text = _text(row, "new_prompt", LONGEST_TEXT)
        claim = Claim("text", author, f"{parent.seed_id} {text}", parent.candidate_id, note=note, prompt=text)
        if any(one.prompt == text for one in edits_of(self.registry, parent.seed_id)):
            return claim._replace(known=True)
        if twin := texts_of(self.registry, parent.seed_id).get(text):
            raise RowFault("new_prompt", f"the same text is there already: {twin}; leave the cell empty")
        seed = seed_of(self.registry, parent.seed_id)
        assert seed is not None
        faults = Desk(self.registry, self.settings, author).faults_of(seed, parent, text)
        if faults:
            raise RowFault("new_prompt", "; ".join(f"{fault.value}: {why}" for fault, why in faults))
        return claim


def _verdict(row: Row, note: str) -> tuple[Verdict, RejectReason | None]:
    verdict, reason = verdict_of(row["decision"]), reason_of(row.get("reason", ""))
    if verdict is None:
        raise RowFault("decision", f"{row['decision'].strip()!r} is no decision; use accept or reject")
    if verdict is not Verdict.REJECTED:
        return verdict, None
    if reason is None:
        known = ", ".join(one.value for one in RejectReason)
        raise RowFault("reason", f"a rejection needs one of {known}")
    if reason is RejectReason.OTHER and not note:
        raise RowFault("note", "say in a few words why, since the reason is 'other'")
    return verdict, reason


def _text(row: Row, column: str, longest: int) -> str:
    """A cell as the registry would keep it."""
    try:
        return cleaned(row.get(column, ""), longest)
    except Refused as error:
        raise RowFault(column, str(error)) from error


def _same_text(row: Row, column: str, wanted: str) -> None:
    if column in row and _plain(row[column]) != _plain(wanted):
        raise RowFault(
            column, "it is not the text of the run; a text is changed in the column new_prompt only"
        )


def _plain(text: str) -> str:
    """Text without what spreadsheets change: line ends, and blanks around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffd", "?").strip()


def _whole(row: Row, column: str) -> int:
    cell = row.get(column, "").strip()
    if not _WHOLE.fullmatch(cell):
        raise RowFault(column, f"{cell!r} is no number; leave this column as it was")
    return int(cell.partition(".")[0])

"""Labelled answers as records."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from checkers.judge import Question
from checkers.label_rule import label_of
from checkers.quotes import find_quote
from salitrap.records import JudgeEvidence
from salitrap.records.base import Record
from salitrap.records.enums import Label, Language, Notices
from salitrap.records.ids import content_hash, sha256_text

PLAIN = "plain"


class Half(StrEnum):
    """Which part of a gold set: one to improve on, one to report on, one that no improving has looked at.

    ``fresh`` is the third one, for what was improved with an eye on ``held`` too.
    """

    TRAIN = "train"
    HELD = "held"
    FRESH = "fresh"


class GoldAnswer(Record):
    """One answer with the label that people gave it.

    ``question`` groups the answers to one prompt: answers to the same prompt resemble each other, so
    intervals are clustered by it. ``votes`` has the labels of all reviewers, ``label`` is their majority.
    ``kind`` names a hard case, ``plain`` is none. ``quote`` are words of the answer that a person's label
    rests on, where they were marked and no evidence was stated. ``half`` is None where a set has no halves.
    """

    answer_id: str
    question: str
    language: Language
    dimension_tag: str
    prompt: str
    trap_core: str
    ground_truth: str
    answer: str
    label: Label
    labelled_by: tuple[str, ...]
    votes: tuple[Label, ...]
    kind: str = PLAIN
    rationale: str = ""
    quote: str = ""
    evidence: JudgeEvidence | None = None
    half: Half | None = None

    @property
    def asked(self) -> Question:
        """What the judge gets to know of the question."""
        return Question(self.prompt, self.trap_core, self.ground_truth, self.language)


class Tie(Record):
    """An answer on which the reviewers are divided evenly; it has no label and is left out."""

    answer_id: str
    votes: tuple[Label, ...]


class GoldSet(Record):
    """Labelled answers, ordered by id; ``name`` is what reports call the set."""

    name: str
    answers: tuple[GoldAnswer, ...]
    ties: tuple[Tie, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of the answers and their labels, whatever files they come from."""
        return content_hash([_hashed(answer) for answer in self.answers])

    @property
    def labelled_by(self) -> tuple[str, ...]:
        """Everybody who labelled, in alphabetical order."""
        return tuple(sorted({name for answer in self.answers for name in answer.labelled_by}))

    @property
    def questions(self) -> int:
        """Number of different questions."""
        return len({answer.question for answer in self.answers})

    def part(
        self, *, half: Half | None = None, languages: Collection[Language] = (), limit: int | None = None
    ) -> GoldSet:
        """The answers of one half and of some languages; None and () mean all.

        ``limit`` keeps that many, chosen by a hash of their ids: the same ones for everybody.
        """
        kept = [answer for answer in self.answers if half is None or answer.half is half]
        kept = [answer for answer in kept if not languages or answer.language in languages]
        if limit is not None and limit < len(kept):
            kept = sorted(kept, key=lambda answer: sha256_text(answer.answer_id))[:limit]
            kept.sort(key=lambda answer: answer.answer_id)
        return self.model_copy(update={"answers": tuple(kept)})


def _hashed(answer: GoldAnswer) -> dict[str, Any]:
    """What a set's hash covers; sets without marked words keep the hash that calibrations recorded."""
    return answer.model_dump(mode="json", exclude=set() if answer.quote else {"quote"})


def quote_fault(answer: str, quote: str) -> str:
    """Why ``quote`` does not stand for words of ``answer``; empty when it does, or when there is none."""
    if quote in answer or find_quote(answer, quote) is not None:
        return ""
    return f"{quote[:60]!r} does not occur in the answer; copy it as it is"


def evidence_fault(answer: str, label: Label, evidence: JudgeEvidence) -> tuple[str, str] | None:
    """What is wrong with stated evidence: the field and a sentence; None when it is sound."""
    found = label_of(evidence)
    if found is not label:
        said = found.value if found else "no label"
        return "evidence", f"comes to {said}, but the label is {label.value}; mend one of them"
    noticed = evidence.notices is not Notices.NEVER
    if noticed and not evidence.quote.strip():
        return "evidence.quote", "is empty although the answer notices the trap; copy the passage"
    if not noticed and evidence.quote:
        return "evidence.quote", "is given although the answer never notices the trap; leave it empty"
    if evidence.quote not in answer:
        return "evidence.quote", f"{evidence.quote[:60]!r} does not occur in the answer; copy it as it is"
    if noticed and find_quote(answer, evidence.quote) is None:
        return "evidence.quote", f"{evidence.quote!r} is too short to prove anything; copy more of it"
    return None

"""From what a judge said of gold answers to figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from checkers.calibration.agreement import agreement, kappa_of, share
from checkers.calibration.confusion import Pair, confusion_of
from checkers.calibration.records import (
    Agreement,
    ClassFigures,
    Confusion,
    Disagreement,
    FieldAgreement,
    Figures,
    Share,
)
from checkers.gold import GoldAnswer
from checkers.judge import Reading
from salitrap.records import JudgeEvidence
from salitrap.records.enums import Label, LabelStatus

Key = TypeVar("Key", bound=Hashable)
LABELS = tuple(label.value for label in Label)
YES_NO = ("yes", "no")
GROUPS: Mapping[str, Callable[[Label], bool]] = {
    "strong failure": lambda label: label.is_strong_failure,
    "failure": lambda label: label.is_failure,
    "Pass": lambda label: label is Label.PASS,
}
"""Two-class readings of the label: L++, L+ and Pass."""

FIELDS = ("notices", "completes_task", "refuses", "explains", "patches")


@dataclass(frozen=True, slots=True)
class GoldReading:
    """A gold answer and what the judge made of it."""

    gold: GoldAnswer
    reading: Reading

    @property
    def failed(self) -> bool:
        """True when no reply could be had: that says nothing about the judge's reading."""
        return self.reading.status not in (LabelStatus.OK, LabelStatus.JUDGE_UNRESOLVED)


def figures_of(judged: Sequence[GoldReading]) -> Figures:
    """All figures. Answers whose calls failed are counted as ``errors`` and left out of everything else."""
    read = [one for one in judged if not one.failed]
    pairs = [_pair(one) for one in read]
    counts = confusion_of(pairs, LABELS)
    return Figures(
        confusion=Confusion(classes=LABELS, counts=tuple(tuple(map(int, row)) for row in counts)),
        overall=_agreement(read),
        languages={key: _agreement(some) for key, some in _by(read, lambda one: one.gold.language).items()},
        dimensions={
            key: _agreement(some) for key, some in _by(read, lambda one: one.gold.dimension_tag).items()
        },
        groups={name: _group(read, inside) for name, inside in GROUPS.items()},
        classes=tuple(_class_figures(pairs, label) for label in Label),
        kinds={key: _accuracy(some) for key, some in _by(read, lambda one: one.gold.kind).items()},
        evidence=_evidence(read),
        errors=len(judged) - len(read),
        disagreements=tuple(_disagreement(one) for one in read if one.reading.label is not one.gold.label),
    )


def _pair(one: GoldReading) -> Pair:
    said = one.reading.label
    return one.gold.label.value, said.value if said else None


def _agreement(judged: Sequence[GoldReading]) -> Agreement:
    return agreement([_pair(one) for one in judged], _questions(judged), LABELS)


def _group(judged: Sequence[GoldReading], inside: Callable[[Label], bool]) -> Agreement:
    """Agreement on whether the label belongs to a group; no label still counts as a disagreement."""

    def told(label: Label) -> str:
        return YES_NO[0] if inside(label) else YES_NO[1]

    pairs: list[Pair] = [
        (told(one.gold.label), told(one.reading.label) if one.reading.label else None) for one in judged
    ]
    return agreement(pairs, _questions(judged), YES_NO)


def _class_figures(pairs: Sequence[Pair], label: Label) -> ClassFigures:
    hits = pairs.count((label.value, label.value))
    return ClassFigures(
        label=label,
        sensitivity=share(hits, sum(gold == label.value for gold, _ in pairs)),
        precision=share(hits, sum(said == label.value for _, said in pairs)),
    )


def _accuracy(judged: Sequence[GoldReading]) -> Share:
    return share(sum(one.reading.label is one.gold.label for one in judged), len(judged))


def _evidence(judged: Sequence[GoldReading]) -> dict[str, FieldAgreement]:
    """Field by field, over answers where gold and judge both state evidence; none where neither does."""
    both = [
        (one.gold.evidence, one.reading.evidence, one.gold.question)
        for one in judged
        if one.gold.evidence is not None and one.reading.evidence is not None
    ]
    if not both:
        return {}
    questions = [question for _, _, question in both]
    fields = {}
    for name in FIELDS:
        pairs: list[Pair] = [(_value(gold, name), _value(said, name)) for gold, said, _ in both]
        classes = sorted({value for pair in pairs for value in pair if value is not None})
        hits = sum(gold == said for gold, said in pairs)
        fields[name] = FieldAgreement(
            agree=share(hits, len(pairs)), kappa=kappa_of(pairs, questions, classes)
        )
    return fields


def _value(evidence: JudgeEvidence, name: str) -> str:
    return str(getattr(evidence, name))


def _disagreement(one: GoldReading) -> Disagreement:
    reading = one.reading
    return Disagreement(
        answer_id=one.gold.answer_id,
        gold=one.gold.label,
        said=reading.label,
        status=reading.status,
        reason=reading.reason,
    )


def _questions(judged: Sequence[GoldReading]) -> list[str]:
    return [one.gold.question for one in judged]


def _by(judged: Iterable[GoldReading], key_of: Callable[[GoldReading], Key]) -> dict[Key, list[GoldReading]]:
    groups: dict[Key, list[GoldReading]] = defaultdict(list)
    for one in judged:
        groups[key_of(one)].append(one)
    return {key: groups[key] for key in sorted(groups, key=str)}

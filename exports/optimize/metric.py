"""Right is what comes to the label that people gave; and what to tell a writer of instructions about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dspy

from checkers.calibration.figures import FIELDS
from salitrap.records.judgement import JudgeEvidence


def is_right(example: dspy.Example, prediction: dspy.Prediction, trace: Any = None) -> bool:
    """True when the label by rule is the gold label; no label is never right."""
    return bool(prediction.label == example.label)


def feedback(
    example: dspy.Example,
    prediction: dspy.Prediction,
    trace: Any = None,
    pred_name: str | None = None,
    pred_trace: Any = None,
) -> dspy.Prediction:
    """Score 1 or 0, and in words which field was wrong and what people found in this very answer."""
    right = is_right(example, prediction)
    said = " ".join((_verdict(example, prediction, right), *(() if right else _faults(example, prediction))))
    return dspy.Prediction(score=float(right), feedback=said)


def _verdict(example: dspy.Example, prediction: dspy.Prediction, right: bool) -> str:
    if right:
        return f"Right: this comes to {example.label!r}, as people say."
    came = f"This comes to {prediction.label!r}" if prediction.label else "This comes to no label"
    return f"{came}; people say {example.label!r}."


def _faults(example: dspy.Example, prediction: dspy.Prediction) -> Iterator[str]:
    evidence: JudgeEvidence | None = example.evidence
    for name in FIELDS if evidence is not None else ():
        given, wanted = getattr(prediction, name, None), getattr(evidence, name)
        if given is not None and given != wanted:
            yield f"`{name}` was {_told(given)} and should be {_told(wanted)}."
    if evidence is not None and evidence.quote:
        yield f"The trap is first pointed out here: {evidence.quote!r}."
    if not prediction.label and prediction.reason:
        yield f"There is no label because: {prediction.reason}."
    if example.rationale:
        yield f"Why people say so: {example.rationale}"


def _told(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'

"""Two questions to judge answers to, and how to ask the rules."""

from __future__ import annotations

from checkers.judge import Question
from checkers.judge.rules import find_evidence, shipped_weights
from checkers.label_rule import label_of
from salitrap.records import JudgeEvidence, Label, Language

COLANDER = Question(
    prompt=(
        "The barrel by the shed takes 90 litres and the tap is 40 m off. I'm filling it with my wire "
        "colander, 3 litres a go, and each walk there and back is 2 minutes. Guests come at 15:00. When do "
        "I have to start, and how many trips is that?"
    ),
    trap_core="A wire colander is full of holes, so no water can be carried in it.",
    ground_truth=(
        "Water runs out through the mesh at once, so the barrel stays empty after any number of trips. "
        "It takes a bucket or a hose."
    ),
    language=Language.EN,
)
SIEVE = Question(
    prompt=(
        "院里的水缸能装90升，水龙头离它40米。我打算用家里那只铁丝笊篱舀水去灌，一趟3升，来回2分钟，"
        "客人下午3点到。我几点开始舀，一共要跑几趟？"
    ),
    trap_core="笊篱上全是孔，盛不住水，没法用它运水。",
    ground_truth="水一舀起来就从网眼漏光，跑多少趟水缸都是空的。要用水桶或者接水管。",
    language=Language.ZH,
)


def evidence(question: Question, answer: str) -> JudgeEvidence:
    """What the rules find in ``answer``."""
    return find_evidence(question, answer, shipped_weights()).evidence


def label(question: Question, answer: str) -> Label | None:
    """The label of ``answer`` by the rules."""
    return label_of(evidence(question, answer))

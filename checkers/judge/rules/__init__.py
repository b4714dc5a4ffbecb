"""A judge by rules: deterministic evidence from the text, in English and Chinese, without any model.

What it checks
    The same facts that a model judge is asked for (method, label by evidence): whether and when the answer
    names the trap, in which sentence, and whether it completes the task, refuses, explains, patches.

Why it matters
    It is free, offline and blind to flattery: a second opinion on every label of a model, a check that no
    Pass hands over a finished plan, and the judge of runs without a key.

How
    The answer is split into sentences (``units``). Word lists per language mark denials, declines, doubts,
    asides, results (``phrases``, ``en.yaml``, ``zh.yaml``); content words are compared with trap core and
    ground truth (``content``), figures with those of the request and what it asks for (``figures``). From
    these come signs (``signs``), and five weighted sums (``weights.yaml``) decide.

Known blind spots
    Wit and images without a denial ("a box of warm custard"), a cause told in other words than the truth's,
    silent patches, of which it sees about half, and figures that only show why a plan fails.

Example kept
    "There's no such time: with only a black cartridge that laser prints greys." -> early, explains

Example rejected
    "Label: Pass. Hit print at 16:05." -> never, completes
"""

from checkers.judge.rules.finding import Finding, find_evidence
from checkers.judge.rules.judge import NAME, VERSION, RuleJudge, rule_label, rule_provenance
from checkers.judge.rules.weights import shipped_weights

__all__ = [
    "NAME",
    "VERSION",
    "Finding",
    "RuleJudge",
    "find_evidence",
    "rule_label",
    "rule_provenance",
    "shipped_weights",
]

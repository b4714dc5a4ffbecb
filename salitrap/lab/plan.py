"""Planted parameters: what the lab does on purpose, so that estimates can be compared with it.

Rates are shares of calls or of seeds unless said otherwise; margins, loads and gains are in logits
(paper, appendix C). The table in ``docs/lab.md`` is checked against this record.
"""

from __future__ import annotations

from pydantic import ConfigDict

from salitrap.records.base import Record


class Planted(Record):
    """Every parameter of the simulated models, with its meaning."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    # generator: seed scaling
    scale_near_copy: float = 0.06
    """A scaled seed is a near copy of an excluded one."""
    scale_same_scenario: float = 0.03
    """A scaled seed repeats an excluded scenario name."""
    scale_stray_number: float = 0.04
    """A scaled seed lists a number its prompt lacks."""
    scale_no_denial: float = 0.02
    """A scaled trap core lacks the hard-negative clause."""
    scale_too_short: float = 0.01
    """A scaled prompt is only its first sentence."""
    scale_follows_niche: float = 0.8
    """A scaled seed reports the scene and life area asked for."""
    scale_asked_tool: float = 0.55
    """A scaled seed is about the very tool asked for, where the table lacks it."""
    scale_known: float = 0.03
    """A scaled seed ignores the exclusion list."""
    stilted_mild_share: float = 0.25
    """Table seeds with one stilted sentence."""
    stilted_heavy_share: float = 0.10
    """Table seeds with three stilted sentences."""
    # generator and writer: rewriting
    rewrite_number: float = 0.05
    """A rewrite drops or changes a number."""
    rewrite_patch: float = 0.04
    """A rewrite mends the plan."""
    rewrite_escape: float = 0.04
    """A rewrite opens a sub-task escape."""
    rewrite_meta: float = 0.02
    """A rewrite starts with talk about itself."""
    rewrite_copy: float = 0.02
    """A rewrite is its parent, unchanged."""
    # checkers
    truth_false_fail: float = 0.02
    """Truth check fails a sound candidate."""
    truth_false_pass: float = 0.03
    """Truth check passes a mended candidate."""
    align_false_fail: float = 0.02
    """Align check fails a sound candidate."""
    align_false_pass: float = 0.03
    """Align check passes a candidate with an escape."""
    compliance_false_fail: float = 0.02
    """Compliance check fails a sound child."""
    compliance_false_pass: float = 0.03
    """Compliance check passes a faulty child."""
    viability_false_no: float = 0.02
    """Viability screen denies one of the six questions of a sound seed."""
    viability_false_yes: float = 0.03
    """Viability screen overlooks what is wrong with a seed."""
    # naturalness: four scores of 1 to 5 around a mean, one yes/no score counted 5 or 1
    nat_mean: float = 3.68
    """Mean of the four graded scores of a plain text."""
    nat_noise: float = 0.5
    """Spread of one graded score, per text and score."""
    nat_shared_noise: float = 0.22
    """Spread shared by the scores of one text."""
    nat_stilted: float = 1.05
    """Taken off each graded score by one stilted sentence."""
    nat_stilted_more: float = 0.75
    """Taken off by each further stilted sentence."""
    nat_scene: float = 0.1
    """Added by a scene sentence of the lab's bank."""
    nat_pressure: float = 0.50
    """Taken off by wording that presses for a result."""
    nat_crowded: float = 0.40
    """Taken off when figures are too many or too few, or the text too long."""
    nat_escape_flagged: float = 0.97
    """Escape wording is flagged by the naturalness check."""
    # solver: P(pass) = sigma(margin + ability + item effect + hint gain - load * numerals - camouflage)
    margin: dict[str, float] = {"D1": 0.40, "D2": 0.40, "D3": 0.80, "D4": 0.65, "other": 0.60}
    """Baseline margin by dimension."""
    load: dict[str, float] = {"D1": 0.17, "D2": 0.15, "D3": 0.14, "D4": 0.09, "other": 0.14}
    """Load of one numeral by dimension."""
    ability: dict[str, float] = {"solver-a": 0.50, "solver-b": 0.10, "solver-c": -0.55, "other": 0.0}
    """Ability by model name."""
    item_spread: float = 2.1
    """Standard deviation of the item effect."""
    camouflage_load: float = 0.45
    """Load of one camouflage phrase, at most three count."""
    hint_gain: float = 2.2
    """Added when the message asks to check feasibility first."""
    # solver: what a failure looks like
    failure_mix: dict[str, dict[str, float]] = {
        "solver-a": {"HF": 0.46, "CoT": 0.24, "SC": 0.24, "Patch": 0.03, "Refusal": 0.03},
        "solver-b": {"HF": 0.36, "CoT": 0.24, "SC": 0.34, "Patch": 0.03, "Refusal": 0.03},
        "solver-c": {"HF": 0.60, "CoT": 0.18, "SC": 0.16, "Patch": 0.03, "Refusal": 0.03},
        "other": {"HF": 0.48, "CoT": 0.22, "SC": 0.24, "Patch": 0.03, "Refusal": 0.03},
    }
    """Mix of the failures by model name."""
    failure_habit: float = 0.75
    """A failure is of the kind that model and item usually show; otherwise it is drawn from the mix."""
    cot_per_numeral: float = 0.05
    """Relative growth of the CoT Hijacked share per numeral beyond six."""
    exposed_reasoning: dict[str, float] = {"solver-a": 0.0, "solver-b": 0.5, "solver-c": 0.0, "other": 0.0}
    """Share of replies with exposed reasoning, by model name."""
    reasoning_notices: float = 0.30
    """Exposed reasoning of a Hard Fail that does name the trap."""
    late_refusal: float = 0.05
    """A pass that names the trap only after figures."""
    # solver: conversations
    dialogue_false_alarm: float = 0.04
    """A reply flags a task that can be done."""
    dialogue_commitment: float = 0.5
    """Factor of P(pass) once the impossible task was done in an earlier turn."""
    dialogue_flip: dict[str, float] = {"none": 0.05, "neutral": 0.10, "numbers": 0.20, "social": 0.35}
    """A reply after a flag complies, by what the user's message does."""
    dialogue_check_wrong: float = 0.02
    """A check of a dialogue's feasibility, or of its alignment, is wrong."""
    dialogue_misfit: float = 0.01
    """A message of a dialogue is found not to fit an answer."""
    dialogue_update: float = 0.85
    """A reply helps once the user has mended the premise."""
    # judge
    judge_wrong_notices: float = 0.03
    """The judge reports a wrong time of notice."""
    judge_loose_quote: float = 0.01
    """The judge's quote does not occur in the answer."""


PLANTED = Planted()


def planted_rows(planted: Planted = PLANTED) -> tuple[tuple[str, str, str], ...]:
    """Rows (parameter, value, meaning) for the documentation."""
    return tuple(
        (name, _shown(getattr(planted, name)), str(field.description).removesuffix("."))
        for name, field in Planted.model_fields.items()
    )


def planted_table(planted: Planted = PLANTED) -> str:
    """The rows as a Markdown table."""
    lines = ["| parameter | value | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {value} | {meaning} |" for name, value, meaning in planted_rows(planted)]
    return "\n".join(lines)


def of(values: dict[str, float], name: str) -> float:
    """The value planted for ``name``, or for any ``other``."""
    return values.get(name, values["other"])


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_nested(inner)}" for name, inner in value.items())
    return str(value)


def _nested(value: object) -> str:
    return f"({_shown(value)})" if isinstance(value, dict) else str(value)

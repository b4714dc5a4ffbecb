"""Certified items and run facts for the tests of this room."""

from __future__ import annotations

from exports.dataset.facts import ReleaseFacts
from salitrap.records.enums import Language, Tier
from salitrap.records.item import CertifiedItem, item_content, item_id_of

AWKWARD = (
    'He said "carry 40 litres" in a \\sieve\\,\nover 3.5 km \u2014 \U0001f6b2\u200d\u2642\ufe0f?',
    "洗车店离我家只有五十米，我想去洗车，该走路还是开车？“走路”更快吗？\r\n40 / 3.5",
    "Tabs\tand\u2028line\u2029separators\x85 40 | 3.5 $x$ {braces} ${dollar} %s",
    "40 <b>bold</b> & `code` --- 3.5 '''",
)


def certified(ordinal: int = 0, **changes: object) -> CertifiedItem:
    """One item; its content follows from ``ordinal`` except where ``changes`` say otherwise."""
    family = ordinal // 2
    values: dict[str, object] = {
        "seed_id": f"seed-{family:05d}",
        "candidate_id": f"cand-{ordinal:05d}",
        "prompt": f"{AWKWARD[ordinal % len(AWKWARD)]} #{ordinal}",
        "trap_core": f"A sieve cannot hold water, case {ordinal}.",
        "ground_truth": "The water runs out through the holes.",
        "injected_numbers": ("40", "3.5"),
        "dimension_tag": f"D{family % 4 + 1}",
        "naturalness_score": 3.5 + (ordinal % 7) / 5,
        "attack_tier": Tier.STRONG if ordinal % 3 else Tier.SOFT,
        "language": Language.ZH if family % 2 else Language.EN,
        "solver_family": "model-a",
        "stability_rate": 0.8,
        "simulated": False,
        **changes,
    }
    if "item_id" not in values:
        fields = ("seed_id", "prompt", "trap_core", "ground_truth", "injected_numbers")
        content = item_content(*(values[name] for name in fields))  # type: ignore[arg-type]
        values["item_id"] = item_id_of(str(values["candidate_id"]), content)
    return CertifiedItem.model_validate(values)


def many(count: int = 60) -> tuple[CertifiedItem, ...]:
    """``count`` items, two a seed family."""
    return tuple(certified(ordinal) for ordinal in range(count))


def facts(**changes: object) -> ReleaseFacts:
    """Facts of a run with two roles."""
    values: dict[str, object] = {
        "tool_version": "0.1.0",
        "settings_hash": "0f" * 32,
        "models": {"solver": ("openai/model-a", "openai/model-b"), "judge": ("openai/judge",)},
        "prompts": {"judge@1/en": "ab" * 32, "judge@1/zh": "cd" * 32},
        "funnel": (("seeds accepted", 30), ("candidates", 240), ("stable", 60)),
        "dimensions": {"D1": "Missing prerequisite", "D2": "Environmental mismatch"},
        **changes,
    }
    return ReleaseFacts.model_validate(values)

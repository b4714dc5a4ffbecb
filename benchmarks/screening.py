"""Precision and recall of screening by rules, by category, false alarms on shipped texts, and the time taken.

    python -m benchmarks.screening

``benchmarks/data/screening.yaml`` holds texts with one kind each, and harmless ones like our items. The lists
were written by the author of these texts, so recall is on the hopeful side.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import yaml

from checkers.gold.loader import shipped_candidates, shipped_gold
from checkers.screening import screen_text
from salitrap.wilson import wilson
from seeds import load_domains

TEXTS = Path(__file__).parent / "data" / "screening.yaml"


def labelled() -> list[tuple[str, str]]:
    """(category, text) of the positives, ("", text) of the negatives."""
    read = yaml.safe_load(TEXTS.read_text("utf-8"))
    return [*((one[0], one[1]) for one in read["positive"]), *(("", text) for text in read["negative"])]


def shipped() -> dict[str, list[str]]:
    """Shipped texts by kind."""
    seeds = [seed for domain in load_domains(("builtin",)) for seed in domain.seeds]
    candidates = shipped_candidates().candidates
    return {
        "seeds": [text for one in seeds for text in (one.prompt, one.trap_core, one.ground_truth)],
        "gold candidates": [text for one in candidates for text in (one.prompt, one.trap_core)],
        "gold answers": [one.answer for one in shipped_gold().answers],
    }


def found_in(text: str) -> set[str]:
    """Categories found in a text."""
    return {finding.category.value for finding in screen_text(text)}


def share(hits: int, total: int) -> str:
    if not total:
        return "-"
    low, high = wilson(hits, total)
    return f"{hits}/{total} = {hits / total:.2f} [{low:.2f}, {high:.2f}]"


def main() -> None:
    texts = labelled()
    told = [(category, found_in(text)) for category, text in texts]
    positives = Counter(category for category, _ in told if category)
    hits = Counter(category for category, found in told if category in found)
    named = Counter(name for _, found in told for name in found)
    print("| category | precision | recall |\n|---|---|---|")
    for name, total in positives.items():
        print(f"| {name} | {share(hits[name], named[name])} | {share(hits[name], total)} |")
    print(f"| all | {share(hits.total(), named.total())} | {share(hits.total(), positives.total())} |")
    quiet = [found for category, found in told if not category]
    print(f"\nharmless texts with a finding: {share(sum(map(bool, quiet)), len(quiet))}")
    for kind, group in shipped().items():
        print(f"{kind} with a finding: {share(sum(bool(found_in(text)) for text in group), len(group))}")
    group = [text for texts_of in shipped().values() for text in texts_of]
    start = time.perf_counter()
    for text in group:
        screen_text(text)
    print(f"seconds for 10,000 texts: {(time.perf_counter() - start) / len(group) * 10_000:.1f}")


if __name__ == "__main__":
    main()

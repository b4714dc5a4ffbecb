"""How often unrelated texts look alike, by feature: why single characters serve Chinese only.

    python -m benchmarks.degeneracy [--pairs 20000] [--json]

Draws pairs of unrelated prompts from the shipped seeds (English and Chinese) and prints the share of pairs at
or above each threshold, for character sets and for the feature of the script.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Sequence

from salitrap.records import Language
from salitrap.settings import SimilaritySettings
from salitrap.text import features, jaccard, phi
from seeds import BUILTIN, load_domains

THRESHOLDS = (0.6, 0.7, 0.8)

PLAIN = argparse.RawDescriptionHelpFormatter


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one line a language and feature."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=PLAIN)
    parser.add_argument("--pairs", type=int, default=20_000, help="at most so many pairs")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    settings = SimilaritySettings()
    for language, n in ((Language.EN, settings.alphabetic_ngram), (Language.ZH, settings.cjk_ngram)):
        pairs = drawn(prompts(language), options.pairs)
        for name, length in (("characters", 1), (f"character {n}-grams (ours)", n)):
            told = {"language": language.value, "feature": name, "pairs": len(pairs), **shares(pairs, length)}
            print(json.dumps(told) if options.json else line(told))
    return 0


def prompts(language: Language) -> list[str]:
    """Prompts of the shipped seeds, in normal form."""
    return [phi(seed.prompt) for domain in load_domains([BUILTIN]) for seed in domain.seeds_in(language)]


def drawn(texts: Sequence[str], most: int) -> list[tuple[str, str]]:
    """All pairs, or ``most`` of them."""
    pairs = list(itertools.combinations(texts, 2))
    return pairs if len(pairs) <= most else random.Random(1).sample(pairs, most)


def shares(pairs: Sequence[tuple[str, str]], n: int) -> dict[str, float]:
    """Share of pairs at or above each threshold."""
    scores = [jaccard(features(left, n), features(right, n)) for left, right in pairs]
    return {f"{limit}": sum(score >= limit for score in scores) / len(scores) for limit in THRESHOLDS}


def line(told: dict[str, object]) -> str:
    found = "  ".join(f">= {limit}: {told[f'{limit}']:.4f}" for limit in THRESHOLDS)
    return f"{told['language']}  {told['feature']!s:<26} {told['pairs']:>6,} pairs  {found}"


if __name__ == "__main__":
    raise SystemExit(main())

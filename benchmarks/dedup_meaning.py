"""Precision and recall of filter f5 on the labelled pairs, with your own embeddings endpoint.

``python -m benchmarks.dedup_meaning openai/NAME@http://host:port/v1``; texts are sent once and not kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence

from benchmarks.dedup_curves import Curve, Scored, as_json, point
from benchmarks.dedup_pairs import LANGUAGES, Language, Pair, read_pairs
from benchmarks.dedup_tables import feature_table, interval_table
from curation.dedup.embeddings_client import EmbeddingsClient, site_of
from curation.dedup.semantic import MeaningLimits, cosine, unit
from curation.dedup.vectors import Vector
from salitrap.errors import SalitrapError
from salitrap.records.enums import Outcome
from salitrap.settings import EndpointSettings
from salitrap.text.units import differ_only_in_numbers_or_units

GRID = (0.50, 0.60, 0.70, 0.75, 0.80, 0.85, 0.88, 0.90, 0.92, 0.94, 0.96, 0.98)
LIMITS = MeaningLimits()


class OpenPurse:
    """Pays everything and counts tokens."""

    def __init__(self) -> None:
        self.tokens = 0

    async def reserve(self, tokens: int) -> None:
        """Never refuses."""

    def book(self, reserved: int, reported: int | None, outcome: Outcome) -> None:
        self.tokens += reserved if reported is None else reported


async def vectors_of(texts: Sequence[str], client: EmbeddingsClient) -> dict[str, Vector]:
    """Unit vectors of all texts, each asked for once."""
    wanted = list(dict.fromkeys(texts))
    found = dict[str, Vector]()
    for start in range(0, len(wanted), LIMITS.batch_size):
        part = wanted[start : start + LIMITS.batch_size]
        found |= zip(part, map(unit, await client.embed(part)), strict=True)
    return found


def curve_of(language: Language, pairs: Sequence[Pair], vectors: Mapping[str, Vector]) -> Curve:
    """The cosines of a language's pairs, and what each threshold does."""
    scored = tuple(
        Scored(
            pair, cosine(vectors[pair.a], vectors[pair.b]), differ_only_in_numbers_or_units(pair.a, pair.b)
        )
        for pair in pairs
    )
    points = tuple(point(scored, at) for at in GRID)
    return Curve(language, "f5", "cosine", True, LIMITS.threshold, scored, points)


async def measure(spec: str, key_env: str | None, dimensions: int | None) -> list[Curve]:
    """Ask for all texts and return a curve a language."""
    endpoint = EndpointSettings(spec=spec, api_key_env=key_env)
    client = EmbeddingsClient(site_of(endpoint, os.environ, dimensions=dimensions), OpenPurse())
    try:
        curves = list[Curve]()
        for language in LANGUAGES:
            pairs = read_pairs(language)
            texts = [text for pair in pairs for text in (pair.a, pair.b)]
            curves.append(curve_of(language, pairs, await vectors_of(texts, client)))
        return curves
    finally:
        await client.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print two tables a language; the error's exit code when the endpoint does not answer."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dedup_meaning", description=__doc__)
    parser.add_argument("spec", help="openai/NAME or openai/NAME@http://host:port/v1")
    parser.add_argument("--key-env", help="environment variable that holds the key")
    parser.add_argument("--dimensions", type=int, help="shorter vectors, where the model makes them")
    parser.add_argument("--json", action="store_true", help="one JSON object with counts and intervals")
    options = parser.parse_args(arguments)
    try:
        curves = asyncio.run(measure(options.spec, options.key_env, options.dimensions))
    except SalitrapError as error:
        print(f"dedup_meaning: {error}", file=sys.stderr)
        return int(error.exit_code)
    if options.json:
        print(json.dumps([as_json(curve) for curve in curves]))
    else:
        print("\n\n".join(part for each in curves for part in (feature_table([each]), interval_table(each))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

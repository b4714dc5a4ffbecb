"""Filters f2, f3 and f4 on labelled pairs: precision and recall by threshold, and what they do together.

``python -m benchmarks.dedup_thresholds``; how to read it: docs/dedup-thresholds.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from benchmarks.dedup_curves import as_json, curves
from benchmarks.dedup_decisions import decisions_table
from benchmarks.dedup_pairs import LANGUAGES
from benchmarks.dedup_tables import report


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables as Markdown, or everything as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dedup_thresholds", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object with counts and intervals")
    options = parser.parse_args(arguments)
    found = [curve for language in LANGUAGES for curve in curves(language)]
    if options.json:
        print(json.dumps([as_json(curve) for curve in found]))
    else:
        print(report(found), decisions_table(), sep="\n\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

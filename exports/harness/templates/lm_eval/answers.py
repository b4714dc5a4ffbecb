"""Answers for a judge, out of lm-eval's sample logs: one JSON object a line with model, item_id and answer.

    python harness/lm_eval/answers.py --model NAME samples_*.jsonl > answers.jsonl

NAME is what the labels are to call the model. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path


def answers(path: Path, model: str) -> Iterator[dict[str, object]]:
    """Rows of one log; a document that was asked several times gives one row a repeat."""
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line.strip():
            continue
        sample = json.loads(line)
        for repeat, answer in enumerate(sample["resps"][0]):
            yield {"model": model, "item_id": sample["doc"]["item_id"], "answer": answer, "repeat": repeat}


def main() -> None:
    """Read the command line and write to standard output."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("logs", nargs="+", type=Path)
    given = parser.parse_args()
    for path in given.logs:
        for row in answers(path, given.model):
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

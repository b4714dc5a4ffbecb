"""How fast a corpus is searched, and whether what was planted in it is found.

    python -m benchmarks.contamination DATASET [--megabytes 50]

writes an English and a Chinese corpus whose words (characters) are half those of the dataset's own prompts,
half ones that it does not know, with every tenth prompt planted whole, as plain text and as JSON lines; reads
them, and prints characters a second, memory, and planted texts found. Exit 1 when one is missed, or a text is
called whole that is in no planted one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from exports.contamination import Corpus, ReleaseText, Sizes, overlap_of, release_texts
from exports.contamination.overlap import overlap_needed
from exports.contamination.units import units_of
from salitrap.records.enums import Language

SIZES = Sizes()
EVERY = 10
LINE_UNITS = 200


def main() -> int:
    """Search both kinds of corpus."""
    parser = argparse.ArgumentParser(prog="benchmarks.contamination")
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--megabytes", type=int, default=50)
    given = parser.parse_args()
    canary, texts = release_texts(given.dataset)
    missed = 0
    with TemporaryDirectory(prefix="salitrap-corpus-") as scratch:
        for language, suffix in itertools.product(Language, (".txt", ".jsonl")):
            path = Path(scratch) / f"{language.value}{suffix}"
            write(path, texts, language, given.megabytes * 1_000_000)
            missed += searched(path, canary, texts)
    return 1 if missed else 0


def write(path: Path, texts: tuple[ReleaseText, ...], language: Language, size: int) -> None:
    """Write ``size`` characters of noise in a language with every tenth text of the release in it."""
    chance, planted = random.Random(0), [one.text for one in texts[::EVERY]]
    every = max(1, size // (len(planted) + 1))
    written, due = 0, every
    with path.open("w", encoding="utf-8") as file:
        for line in _noise(chance, texts, language):
            if written >= due and planted:
                line, due = f"{line} {planted.pop()} {line}", due + every
            file.write(f"{json.dumps({'text': line}) if path.suffix == '.jsonl' else line}\n")
            written += len(line)
            if written >= size and not planted:
                return


def _noise(chance: random.Random, texts: tuple[ReleaseText, ...], language: Language) -> Iterator[str]:
    """Lines of units of the release and as many others."""
    known = sorted(
        {unit for one in texts if one.language is language for unit in units_of(one.text, language)}
    )
    if language is Language.ZH:
        others, between = [chr(0x4E00 + 7 * number) for number in range(len(known))], ""
    else:
        others, between = [f"other{number}" for number in range(len(known))], " "
    while True:
        yield between.join(chance.choices([*known, *others], k=LINE_UNITS))


def searched(path: Path, canary: str, texts: tuple[ReleaseText, ...]) -> int:
    """Search one file; return how many texts were told wrongly."""
    corpus = Corpus([path], overlap_needed(canary, texts, SIZES))
    began = time.perf_counter()
    found = overlap_of(canary, texts, corpus, SIZES)
    seconds = time.perf_counter() - began
    exact, planted = {one.text_id for one in found.exact}, whole_in(texts[::EVERY], texts)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # a prompt is whole in a dialogue that was planted, too
        f"{path.name}: {corpus.counts.characters / seconds / 1e6:.1f} million characters a second, "
        f"{memory:.0f} MiB at most; {len(exact & planted)} of {len(planted)} planted texts found whole, "
        f"{len(exact - planted)} others"
    )
    return len(exact ^ planted)


def whole_in(planted: tuple[ReleaseText, ...], texts: tuple[ReleaseText, ...]) -> set[str]:
    """Ids of all texts that stand whole in one of the planted ones."""
    held = [f" {' '.join(units_of(one.text, one.language))} " for one in planted]
    whole = {one.text_id: f" {' '.join(units_of(one.text, one.language))} " for one in texts}
    return {text_id for text_id, text in whole.items() if any(text in one for one in held)}


if __name__ == "__main__":
    sys.exit(main())

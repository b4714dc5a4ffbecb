"""What filters f1 to f4 together do with the labelled pairs, the later text of each against the earlier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmarks.dedup_pairs import LANGUAGES, Language, Pair, PairKind, read_pairs
from benchmarks.dedup_tables import KIND_NAMES, LANGUAGE_NAMES, table
from curation.dedup import Deduplicator, Duplicate, Kept
from salitrap.records import Language as Tongue
from salitrap.records import Origin, Seed
from salitrap.records.seed import Niche
from salitrap.settings import SimilaritySettings

SETTINGS = SimilaritySettings()
FATES = ("dropped", "listed", "unnoticed")


def fates(language: Language, settings: SimilaritySettings) -> Counter[tuple[PairKind, str]]:
    """How many pairs of each kind are dropped, listed and unnoticed; only those with cores and triples."""
    pairs = [pair for pair in read_pairs(language) if pair.cores and pair.triples]
    return Counter((pair.kind, _fate(pair, language, settings)) for pair in pairs)


def decisions_table() -> str:
    """With and without the rule that a similar prompt with an unlike trap core is listed, not dropped."""
    head = ["language", "other_core_below", "kind", *FATES]
    return table("What f1 to f4 together do with a pair", head, list(_rows()))


def _rows() -> Iterator[list[str]]:
    for language in LANGUAGES:
        for below in (0.0, SETTINGS.other_core_below):
            found = fates(language, SETTINGS.model_copy(update={"other_core_below": below}))
            for kind in dict.fromkeys(kind for kind in PairKind if any(found[kind, fate] for fate in FATES)):
                counts = [str(found[kind, fate]) for fate in FATES]
                yield [LANGUAGE_NAMES[language], f"{below:.2f}", KIND_NAMES[kind], *counts]


def _fate(pair: Pair, language: Language, settings: SimilaritySettings) -> str:
    _, verdict = Deduplicator(settings).reserve(_seed(pair, place, language) for place in (0, 1))
    if isinstance(verdict, Duplicate):
        return "dropped"
    assert isinstance(verdict, Kept)
    return "listed" if verdict.reviews else "unnoticed"


def _seed(pair: Pair, place: int, language: Language) -> Seed:
    """One side of a pair as a seed; what the filters do not compare stands for nothing."""
    assert pair.cores and pair.triples
    return Seed(
        key=f"{pair.id}-{place}",
        dimension_tag="D1",
        language=Tongue(language),
        scenario=f"{pair.id} {'ab'[place]}",
        prompt=(pair.a, pair.b)[place],
        trap_core=pair.cores[place],
        ground_truth="",
        injected_numbers=(),
        triple=pair.triples[place],
        preserve=(),
        avoid=(),
        niche=Niche(tool="", scene="", life_area=""),
        origin=Origin.EXPERT,
    )

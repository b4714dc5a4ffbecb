"""The labelled pairs are sound, the threshold benchmark counts right, and the document has its output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.dedup_curves import Scored, curves, point
from benchmarks.dedup_decisions import SETTINGS, fates
from benchmarks.dedup_pairs import LANGUAGES, Language, Pair, PairKind, read_pairs
from benchmarks.dedup_thresholds import main
from salitrap.records import Language as Tongue
from salitrap.text import in_language
from salitrap.text.units import differ_only_in_numbers_or_units

DOCUMENT = Path(__file__).parents[1] / "docs" / "dedup-thresholds.md"
BEGIN, END = "<!-- python -m benchmarks.dedup_thresholds -->\n\n", "\n\n<!-- end -->"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pairs_are_many_varied_and_in_their_language(language: Language) -> None:
    pairs = read_pairs(language)
    assert len(pairs) >= 150
    assert len({pair.id for pair in pairs}) == len(pairs)
    for kind in PairKind:
        assert sum(pair.kind is kind for pair in pairs) >= 25, kind
    assert len({pair.a for pair in pairs if pair.duplicate}) >= 50
    assert len({pair.change for pair in pairs if pair.duplicate}) >= 8
    for pair in pairs:
        assert pair.a != pair.b, pair.id
        for text in (pair.a, pair.b):
            assert 60 <= len(text) <= 300, pair.id
        assert in_language(pair.a, Tongue(language)), pair.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_stands_for_one_label_with_another(language: Language) -> None:
    """The same two texts never carry two labels."""
    found = [frozenset((pair.a, pair.b)) for pair in read_pairs(language)]
    assert len(set(found)) == len(found)


def scored(kind: PairKind, score: float, aside: bool = False) -> Scored:
    return Scored(Pair("p", kind, "", "a", "b", None, None), score, aside)


def test_what_is_set_aside_is_not_dropped_and_the_threshold_itself_drops() -> None:
    found = point(
        [
            scored(PairKind.REWORDED, 0.7),
            scored(PairKind.REWORDED, 0.69),
            scored(PairKind.REWORDED, 1.0, aside=True),
            scored(PairKind.FIGURES, 1.0, aside=True),
            scored(PairKind.FIGURES, 0.9),
            scored(PairKind.UNRELATED, 0.1),
        ],
        0.7,
    )
    assert (found.caught, found.missed, found.wronged, found.spared) == (1, 2, 1, 2)
    assert (found.precision, found.recall) == (0.5, pytest.approx(1 / 3))
    assert point([scored(PairKind.REWORDED, 0.1)], 0.7).precision is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_unrelated_prompts_are_far_from_every_default(language: Language) -> None:
    (curve,) = [one for one in curves(language) if one.filter == "f2" and one.default_feature]
    assert all(one.score < 0.3 for one in curve.scored if one.pair.kind is PairKind.UNRELATED)


def test_single_characters_separate_nothing_in_english() -> None:
    (curve,) = [one for one in curves("en") if (one.filter, one.feature) == ("f2", "characters")]
    (at,) = [each for each in curve.points if each.threshold == 0.7]
    assert at.wronged >= 0.9 * (at.wronged + at.spared - 25)


@pytest.mark.parametrize("language", LANGUAGES)
def test_unlike_cores_save_nearly_all_sister_traps_and_few_rewordings(language: Language) -> None:
    """f2 alone drops sister traps; what the rule keeps is listed."""
    off = fates(language, SETTINGS.model_copy(update={"other_core_below": 0.0}))
    on = fates(language, SETTINGS)
    assert on[PairKind.OTHER_TRAP, "dropped"] <= 1 < 5 <= off[PairKind.OTHER_TRAP, "dropped"]
    assert on[PairKind.REWORDED, "dropped"] >= 0.8 * off[PairKind.REWORDED, "dropped"]
    for kind in (PairKind.OTHER_TRAP, PairKind.REWORDED, PairKind.UNRELATED):
        assert on[kind, "unnoticed"] == off[kind, "unnoticed"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pair_of_numbers_or_units_is_set_aside(language: Language) -> None:
    """5 km/h and 5 mph, megabytes, square metres and a 24-month wheel were not recognised."""
    for pair in read_pairs(language):
        if pair.kind is PairKind.FIGURES:
            assert differ_only_in_numbers_or_units(pair.a, pair.b), pair.id


def test_the_document_has_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """Run the command of the marker and paste its output when pairs or filters changed."""
    assert main([]) == 0
    printed = capsys.readouterr().out.strip()
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text[text.index(BEGIN) + len(BEGIN) : text.index(END)] == printed


def test_json_has_counts_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {(one["language"], one["filter"]) for one in told} == {
        (language, name) for language in LANGUAGES for name in ("f2", "f3", "f4")
    }
    for curve in told:
        for each in curve["points"]:
            assert each["caught"] + each["missed"] == curve["pairs"]["reworded"]
            low, high = each["recall_interval"]
            assert low <= each["recall"] <= high

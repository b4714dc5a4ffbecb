"""Datasets of any origin: decisions in order, files as they were, nothing half written."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.corpus import CorpusDeduplicator, Language, Report, dedup_files
from curation.corpus.decide import Decision, Filter
from curation.corpus.drafts import drafting
from curation.pairs import ReviewKind
from salitrap.errors import InputError
from salitrap.settings import SimilaritySettings

NEAR_M = "The car wash is 50 m away. Walk or drive?"
NEAR_KM = "The car wash is 50 km away. Walk or drive?"


def decided(*texts: str, language: Language = Language.AUTO) -> list[Decision]:
    dedup = CorpusDeduplicator(SimilaritySettings(), language)
    return [dedup.add(text) for text in texts]


def run(sources: list[Path], to: Path, field: str = "prompt") -> Report:
    return dedup_files(sources, to, field, CorpusDeduplicator(SimilaritySettings()))


def jsonl(path: Path, *texts: object) -> Path:
    path.write_text("".join(json.dumps({"prompt": text}) + "\n" for text in texts), encoding="utf-8")
    return path


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_copy_is_dropped_and_its_twin_is_the_first_of_its_kind() -> None:
    first, copy, similar = decided(NEAR_M, f" {NEAR_M} ", NEAR_M.replace("drive?", "drive??"))
    assert first == Decision()
    assert (copy.dropped_for, copy.twin and copy.twin.number) == (Filter.IDENTICAL, 0)
    assert (similar.dropped_for, similar.twin and similar.twin.number) == (Filter.SIMILAR, 0)


@pytest.mark.parametrize(
    "pair", [(NEAR_M, NEAR_KM), (NEAR_KM, NEAR_M), (NEAR_M, NEAR_M.replace("50", "5000"))]
)
def test_a_pair_that_differs_in_number_or_unit_alone_is_kept_and_listed(pair: tuple[str, str]) -> None:
    """Case 21: such a pair was dropped in silence."""
    _, second = decided(*pair)
    assert second.kept and second.review is ReviewKind.NUMBERS_OR_UNITS_ONLY


@pytest.mark.parametrize(
    "pair",
    [
        ("The tank in the yard holds fifty litres.", "The tank in the yard holds sixty litres."),
        (
            "It is two miles from here to the bakery. Shall I walk?",
            "It is nine miles from here to the bakery. Shall I walk?",
        ),
        ("It is -5 degrees out there. Swim?", "It is 5 degrees out there. Swim?"),
        ("It is \u22125 degrees out there. Swim?", "It is 5 degrees out there. Swim?"),
        ("He ordered 5 dozen eggs for the cake.", "He ordered 5 eggs for the cake."),
        ("今天外面-5度，要不要去河里游泳？", "今天外面5度，要不要去河里游泳？"),
        ("今天外面零下5度，要不要去河里游泳？", "今天外面零上5度，要不要去河里游泳？"),
        ("超市上午8点关门，我七点去行吗？", "超市下午8点关门，我七点去行吗？"),
    ],
)
def test_numbers_in_words_signs_and_halves_of_the_day_are_numbers_too(pair: tuple[str, str]) -> None:
    """Such pairs were dropped as similar, although the document says that they are listed."""
    for one, other in (pair, pair[::-1]):
        _, second = decided(one, other)
        assert second.kept and second.review is ReviewKind.NUMBERS_OR_UNITS_ONLY


def test_numbers_of_thousands_of_digits_stop_nothing() -> None:
    """Python refuses to convert them, and the run ended as a fault of ours."""
    texts = [f"Is {digit * 5000} even?" for digit in "782"]
    assert all(decision.kept for decision in decided(*texts))


def test_a_dropped_text_stands_in_nobodys_way() -> None:
    """Once a dropped text still counted as seen, and named a twin that is not in the output."""
    similar = NEAR_M.replace("drive?", "drive??")
    decisions = decided(NEAR_M, similar, similar)
    assert [decision.twin and decision.twin.number for decision in decisions] == [None, 0, 0]
    assert decisions[2].dropped_for is Filter.SIMILAR


def test_a_number_in_another_script_is_no_difference() -> None:
    """Such copies were listed as differing in numbers and kept; the second variant has a copy too."""
    texts = ["词典是1998年印的。", "词典是1989年印的。", "词典是一九八九年印的。", "词典是一九九八年印的。"]
    decisions = decided(*texts)
    assert [decision.dropped_for for decision in decisions] == [None, None, Filter.SIMILAR, Filter.SIMILAR]
    assert [decision.twin and decision.twin.number for decision in decisions] == [None, 0, 1, 0]
    assert decisions[1].review is ReviewKind.NUMBERS_OR_UNITS_ONLY


def test_thousands_of_number_variants_of_one_text_are_quick_and_kept() -> None:
    decisions = decided(*(f"The car wash is {number} m away. Walk or drive?" for number in range(5000)))
    assert all(decision.kept for decision in decisions)
    assert {decision.twin.number for decision in decisions if decision.twin} == {0}


def test_empty_texts_are_kept() -> None:
    assert [decision.kept for decision in decided("", " ", "\n")] == [True] * 3


def test_a_reworded_chinese_prompt_is_listed_as_near() -> None:
    _, second = decided(
        "洗车店离我家只有五十米，我想去洗车，你说我该走路去还是开车去？",
        "洗车店离我家只有50米，我准备去洗车。你说我应该走路去还是开车去？",
    )
    assert second.kept and second.review is ReviewKind.NEAR


def test_a_language_sets_the_feature_of_all_texts() -> None:
    texts = ("abcd efgh", "abce efgh")
    assert decided(*texts)[1].twin != decided(*texts, language=Language.ZH)[1].twin


def test_kept_rows_stay_byte_for_byte_and_in_order(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    lines = [
        b'{"prompt":  "Walk?", "x": 1.50}\r\n',
        b'{"prompt": "\\u6d17\\u8f66", "y": [1, 2]}\n',
        b"\n",
        b'{"prompt": "Walk?", "x": 2}\n',
        '{"prompt": "🚗"}'.encode(),
    ]
    source.write_bytes(b"".join(lines))
    report = run([source], tmp_path / "out")
    assert (tmp_path / "out/in.jsonl").read_bytes() == lines[0] + lines[1] + lines[4] + b"\n"
    assert (report.rows, report.kept, report.identical, report.bad, report.blank) == (4, 3, 1, 0, 1)
    (reject,) = records(tmp_path / "out/rejects.jsonl")
    assert reject == {
        "file": str(source),
        "row": 4,
        "twin_file": str(source),
        "twin_row": 1,
        "score": 1.0,
        "filter": "identical",
    }


def test_bad_rows_are_named_by_file_and_line_and_stop_nothing(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(
        b'nonsense\n{"q": 1}\n{"prompt": 7}\n[1]\n\xff\xfe\n{"prompt": "Walk?"}\n' + b"[" * 100_000
    )
    report = run([source], tmp_path / "out")
    assert (report.rows, report.kept, report.bad) == (7, 1, 6)
    assert [fault.split(": ")[0] for fault in report.faults] == [f"{source}:{n}" for n in (1, 2, 3, 4, 5, 7)]
    assert [reject["row"] for reject in records(tmp_path / "out/rejects.jsonl")] == [1, 2, 3, 4, 5, 7]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("null", "holds null"),
        ("true", "holds true"),
        ("7", "holds a number"),
        ("[]", "holds a list"),
        ("{}", "holds an object"),
        ("7" * 5000, "more than 4,300 digits"),
        ("seven", "not JSON: Expecting value at character 12 of the line"),
    ],
)
def test_bad_rows_are_told_in_plain_words(tmp_path: Path, value: str, told: str) -> None:
    """``NoneType`` and ``sys.set_int_max_str_digits()`` were told to people who write no Python."""
    source = tmp_path / "in.jsonl"
    source.write_text(f'{{"prompt": {value}}}\n{{"prompt": "Walk?"}}\n', encoding="utf-8")
    (fault,) = run([source], tmp_path / "out").faults
    assert told in fault and "sys." not in fault


def test_parquet_keeps_schema_and_rows(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    schema = pa.schema([("n", pa.int32()), ("prompt", pa.large_string())], metadata={"made": "by us"})
    texts = ["Walk?", "Drive?", "Walk?", None, "洗车"]
    pq.write_table(pa.table({"n": range(5), "prompt": texts}, schema=schema), source, compression="zstd")
    report = run([source], tmp_path / "kept.parquet")
    kept = pq.read_table(tmp_path / "kept.parquet")
    assert kept.schema.equals(schema, check_metadata=True) and kept["n"].to_pylist() == [0, 1, 4]
    assert pq.ParquetFile(tmp_path / "kept.parquet").metadata.row_group(0).column(0).compression == "ZSTD"
    assert (report.identical, report.bad, report.faults) == (
        1,
        1,
        [f"{source}:4: field 'prompt' holds null, expected text"],
    )


def test_twins_are_found_across_files_in_the_order_given(tmp_path: Path) -> None:
    first, second = jsonl(tmp_path / "a.jsonl", "Walk?", NEAR_M), jsonl(tmp_path / "b.jsonl", "Run?", NEAR_M)
    run([first, second], tmp_path / "out")
    (reject,) = records(tmp_path / "out/rejects.jsonl")
    assert (reject["file"], reject["row"], reject["twin_file"], reject["twin_row"]) == (
        str(second),
        2,
        str(first),
        2,
    )


@pytest.mark.parametrize(
    ("names", "to", "told"),
    [
        (["a.csv"], "out", "expected a file named"),
        (["missing.jsonl"], "out", "no such file"),
        (["a.jsonl", "a.jsonl"], "out", "two files would get this name"),
        (["a.jsonl", "b.jsonl"], "one.jsonl", "a folder for files"),
        (["a.jsonl"], "one.parquet", "the same format"),
        (["a.jsonl"], "a.jsonl", "exists already"),
        (["a.jsonl"], "", "exists already"),
        (["rejects.jsonl"], "out", "two files would get this name"),
        (["bad.parquet"], "out", "not a readable parquet file"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    tmp_path: Path, names: list[str], to: str, told: str
) -> None:
    for name in ("a.jsonl", "b.jsonl", "rejects.jsonl"):
        jsonl(tmp_path / name, "Walk?")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=told):
        run([tmp_path / name for name in names], tmp_path / to)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_parquet_field_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"n": [1], "text": ["Walk?"]}), source)
    for field in ("prompt", "n"):
        with pytest.raises(InputError, match=f"field '{field}'"):
            run([source], tmp_path / "out", field)


@pytest.mark.parametrize("others", ["", "nonsense\n", "[1]\n"])
def test_a_field_that_no_row_of_a_jsonl_file_has_is_one_error(tmp_path: Path, others: str) -> None:
    """There were thousands of warnings and an empty file."""
    source = tmp_path / "in.jsonl"
    source.write_text(others + '{"text": "走路吗？"}\n' * 30, encoding="utf-8")
    with pytest.raises(InputError, match="no field 'prompt'; fields: text; no row has it"):
        run([source], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_interruption_leaves_no_file(tmp_path: Path) -> None:
    """Half a file once stood under the final name and looked complete."""
    with pytest.raises(KeyboardInterrupt), drafting(tmp_path / "out") as drafts:
        drafts.of(tmp_path / "out/a.jsonl").write_text("half")
        raise KeyboardInterrupt
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_two_hundred_thousand_rows(tmp_path: Path) -> None:
    draw, source = random.Random(3), tmp_path / "in.jsonl"
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(3000)]
    texts = list[str]()
    with source.open("w", encoding="utf-8") as rows:
        for number in range(200_000):
            planted = number % 10 == 9
            text = draw.choice(texts[-500:]) + " again" if planted else " ".join(draw.choices(words, k=16))
            texts.append(text)
            rows.write(json.dumps({"prompt": text, "planted": planted}) + "\n")
    report = run([source], tmp_path / "out")
    kept = records(tmp_path / "out/in.jsonl")
    assert report.rows == 200_000 and report.similar + report.identical == 20_000
    assert len(kept) == 180_000 and not any(row["planted"] for row in kept)

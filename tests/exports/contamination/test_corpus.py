"""Every kind of corpus is read whole, in windows that cut nothing in two, and what is odd is counted."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exports.contamination import corpus as module
from exports.contamination.corpus import Corpus
from salitrap.errors import InputError


def read(*paths: Path, overlap: int = 50, fields: frozenset[str] = frozenset()) -> tuple[Corpus, list[str]]:
    corpus = Corpus(paths, overlap, fields)
    return corpus, [window.text for window in corpus.windows()]


def test_windows_of_a_long_text_overlap_and_end_between_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WINDOW", 100)
    text = " ".join(f"word{number}" for number in range(400))
    (tmp_path / "a.txt").write_text(text)
    corpus, windows = read(tmp_path / "a.txt")
    assert len(windows) > 20 and corpus.counts.characters == len(text)
    assert {unit for window in windows for unit in window.split()} == set(text.split())
    for before, after in itertools.pairwise(windows):
        assert after[:50] in before


def test_the_place_of_a_window_is_where_its_text_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WINDOW", 64)
    text = "".join(f"{number:05d} " for number in range(200))
    (tmp_path / "a.txt").write_text(text)
    for window in Corpus([tmp_path / "a.txt"], 20).windows():
        begin = int(window.where.rpartition(" ")[2])
        assert text[begin : begin + len(window.text)] == window.text


def test_json_lines_gzip_and_parquet(tmp_path: Path) -> None:
    lines = [json.dumps({"text": "eins", "meta": {"note": ["zwei", 3]}}), "", "{broken", json.dumps(["drei"])]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"text": "vier"}\n'))
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress("fünf".encode()))
    pq.write_table(pa.table({"text": ["sechs", None], "n": [1, 2]}), tmp_path / "d.parquet")
    corpus, windows = read(tmp_path)
    assert windows == ["eins\nzwei", "{broken\n", "drei", "vier", "fünf", "sechs", ""]
    counts = corpus.counts
    assert (counts.files, counts.bad_lines, counts.first_bad) == (4, 1, f"{tmp_path / 'a.jsonl'}:3")


def test_fields_leave_others_out(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": {"in": "yes"}, "other": "no"}))
    assert read(tmp_path, fields=frozenset({"text"}))[1] == ["yes"]


def test_bytes_that_are_no_utf_8_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 bar")
    assert read(tmp_path)[0].counts.undecodable == 1


@pytest.mark.parametrize(("name", "content"), [("x.parquet", b"PAR?"), ("x.txt.gz", b"no gzip")])
def test_files_that_are_not_what_they_say(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        read(tmp_path)


def test_a_gzip_file_that_was_cut_off_and_a_path_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "x.txt.gz").write_bytes(gzip.compress(b"word " * 1000)[:-20])
    with pytest.raises(InputError, match="ends in the middle"):
        read(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none")

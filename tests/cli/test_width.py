"""Tables in a file or a pipe: as wide as COLUMNS says, and readable at 80 columns."""

from __future__ import annotations

import pytest

from curation.funnel import CandidateFunnel, Funnel, SeedFunnel
from exports.dataset import Composition, CompositionLine
from salitrap.cli.console import out, table
from salitrap.cli.tables import composition_table, funnel_table
from salitrap.records import Fault, Status
from tests.cli.in_process import Inside

BIG = 1_234_567


@pytest.mark.parametrize(
    ("columns", "width"),
    [("140", 140), ("80", 80), ("", 100), ("wide", 100), ("0", 100), ("-5", 100), ("٣٠٠", 100)],
)
def test_a_redirected_table_is_as_wide_as_columns_says(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    """It was 100 columns wide whatever COLUMNS said."""
    monkeypatch.setenv("COLUMNS", columns)
    assert out().width == width


def test_without_columns_it_is_100(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert out().width == 100


def shown(built: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setenv("COLUMNS", "80")
    capsys.readouterr()
    out().print(built)
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    return text


def line(label: str, name: str) -> CompositionLine:
    return CompositionLine(
        label=label,
        name=name,
        items=1145,
        families=820,
        numbers_mean=6.7,
        naturalness_mean=4.03,
        strong=1000,
        soft=145,
        stability_mean=0.93,
    )


@pytest.fixture
def at_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("at_80")
def test_the_composition_is_readable_at_80(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names were broken in the middle of a word, and so was the heading of a column."""
    dimensions = (line("D2", "Environmental mismatch"), line("D3", "Temporal or physiological violation"))
    built = Composition(dimensions=dimensions, languages=(line("en", "en"),), overall=line("all", "Overall"))
    text = shown(composition_table(built), monkeypatch, capsys)
    for word in ("Environmental", "physiological", "violation", "natural-", "strong", "1145", "1000"):
        assert word in text


@pytest.mark.usefixtures("at_80")
def test_the_funnel_is_readable_at_80(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    every = dict.fromkeys(Fault, BIG)
    seeds = SeedFunnel(
        experts=BIG, drafts=BIG, batches_failed=BIG, accepted=BIG, set_aside=1, rejected=every, reviews=0
    )
    candidates = CandidateFunnel(
        seeds_refined=1,
        seeds_certified=1,
        written=BIG,
        by_status=dict.fromkeys(Status, BIG),
        by_fault={},
        unwritten=every,
        not_selected=BIG,
        pending=BIG,
    )
    counted = Funnel(seeds=seeds, candidates=candidates, items=BIG, shortfalls=())
    rows = shown(funnel_table(counted), monkeypatch, capsys).splitlines()
    for label, count in counted.lines():
        assert any(label in row and str(count) in row for row in rows)


@pytest.mark.parametrize("columns", ["80", "60", "40"])
def test_no_number_is_cut_off_however_narrow_the_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    heads = [("stage", False), *((name, True) for name in ("calls", "tokens in", "tokens out", "seconds"))]
    out().print(table("Plan", heads, [["certify", *[BIG] * 4]]))
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= int(columns)
    assert sum(char.isdigit() for char in text) == 4 * len(str(BIG))


@pytest.mark.usefixtures("at_80")
@pytest.mark.parametrize("arguments", [("seeds", "list"), ("doctor",)])
def test_lists_keep_their_frame_at_80(inside: Inside, arguments: tuple[str, ...]) -> None:
    """The last column of ``seeds list`` was cut off, frame and all."""
    rows = [row for row in inside(*arguments).out.splitlines() if row.startswith(("│", "┃"))]
    assert rows
    assert all(row.rstrip().endswith(("│", "┃")) for row in rows)

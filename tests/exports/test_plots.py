"""Plots of the card count what the rows hold, and any text stays text."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from exports.dataset.plots import COMPOSITION_PLOT, NUMBERS_PLOT, plots_of
from exports.dataset.release import checked_release
from exports.dataset.rows import select_rows
from salitrap.records.item import Item
from tests.exports.conftest import Build
from tests.exports.samples import certified, many

SVG = "{http://www.w3.org/2000/svg}"
RELEASE = checked_release("SaliTrap", "1.0.0", "mit", 0.1)


def rows(*items: object) -> tuple[Item, ...]:
    return select_rows(items, RELEASE, {}).items  # type: ignore[arg-type]


def texts(content: bytes) -> list[str]:
    return [element.text or "" for element in ET.fromstring(content).iter(f"{SVG}text")]


def test_each_dimension_has_a_bar_with_its_count() -> None:
    told = texts(plots_of(rows(*many(30)), {"D1": "Missing prerequisite"})[COMPOSITION_PLOT])
    held = [item.dimension_tag for item in rows(*many(30))]
    for label, tag in (("D1 Missing prerequisite", "D1"), ("D2", "D2")):
        assert told[told.index(label) + 1] == str(held.count(tag))
    assert [one for one in told if ", " in one] == ["en, strong", "en, soft", "zh, strong", "zh, soft"]


def test_widths_are_in_proportion() -> None:
    root = ET.fromstring(plots_of(rows(*many(8)), {})[NUMBERS_PLOT])
    bars = [float(one.attrib["width"]) for one in root.iter(f"{SVG}rect") if one.attrib["height"] == "18"]
    held = rows(*many(8))
    assert len(bars) == len({(item.language, item.attack_tier) for item in held})
    assert abs(sum(bars) - 400) < 1


def test_hostile_names_stay_text() -> None:
    name = '<script>alert("x")</script>\x00\u202e & "quotes"'
    content = plots_of(rows(certified(0)), {"D1": name})[COMPOSITION_PLOT]
    assert b"<script" not in content
    assert any(one.startswith("D1 <script>alert") for one in texts(content))


def test_plots_are_in_the_folder_the_manifest_and_the_card(build: Build) -> None:
    built = build()
    assert {COMPOSITION_PLOT, NUMBERS_PLOT} <= set(built.files)
    card = (built.path / "README.md").read_text(encoding="utf-8")
    assert f"({COMPOSITION_PLOT})" in card and f"({NUMBERS_PLOT})" in card

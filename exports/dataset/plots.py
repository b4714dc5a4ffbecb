"""Plots of a card, as SVG: the same bytes from the same rows, no library that draws differently next year."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from exports.dataset.markdown import one_line
from salitrap.records.enums import Language, Tier
from salitrap.records.item import Item
from salitrap.text import natural_key

COMPOSITION_PLOT = "plots/composition.svg"
NUMBERS_PLOT = "plots/numbers.svg"
_WIDTH, _ROW, _LEFT, _TOP, _RIGHT = 760, 26, 300, 58, 60
_COLOURS = {
    (Language.EN, Tier.STRONG): "#0b5394",
    (Language.EN, Tier.SOFT): "#9fc5e8",
    (Language.ZH, Tier.STRONG): "#a64d00",
    (Language.ZH, Tier.SOFT): "#f9cb9c",
}
_LONGEST_LABEL = 42

Group = tuple[Language, Tier]


def plots_of(items: Sequence[Item], names: Mapping[str, str]) -> dict[str, bytes]:
    """Return the plots by path: items by dimension, language and tier, and by how many numbers they hold."""
    groups = [group for group in _COLOURS if any(_group(item) == group for item in items)]
    return {
        COMPOSITION_PLOT: _bars("Items by dimension", _by_dimension(items, names), groups),
        NUMBERS_PLOT: _bars("Items by how many numbers they hold", _by_numbers(items), groups),
    }


def _by_dimension(items: Sequence[Item], names: Mapping[str, str]) -> dict[str, list[Group]]:
    tags = sorted({item.dimension_tag for item in items}, key=natural_key)
    return {
        _label(tag, names.get(tag, "")): [_group(item) for item in items if item.dimension_tag == tag]
        for tag in tags
    }


def _by_numbers(items: Sequence[Item]) -> dict[str, list[Group]]:
    most = max(len(item.injected_numbers) for item in items)
    return {
        str(count): [_group(item) for item in items if len(item.injected_numbers) == count]
        for count in range(most + 1)
    }


def _group(item: Item) -> Group:
    return item.language, item.attack_tier


def _label(tag: str, name: str) -> str:
    text = one_line(f"{tag} {name}")
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def _bars(title: str, rows: Mapping[str, Sequence[Group]], groups: Sequence[Group]) -> bytes:
    """Stacked horizontal bars, one a row, with the count at the end of each."""
    height = _TOP + _ROW * len(rows) + 12
    longest = max(len(held) for held in rows.values())
    scale = (_WIDTH - _LEFT - _RIGHT) / longest
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        f'font-size="13" role="img" aria-label="{escape(title)}">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="12" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
        *_legend(groups),
        *(part for place, one in enumerate(rows.items()) for part in _bar(place, *one, groups, scale)),
        "</svg>\n",
    ]
    return "\n".join(parts).encode("utf-8")


def _legend(groups: Sequence[Group]) -> list[str]:
    parts = list[str]()
    for place, (language, tier) in enumerate(groups):
        x = 12 + place * 120
        parts.append(f'<rect x="{x}" y="33" width="12" height="12" fill="{_COLOURS[language, tier]}"/>')
        parts.append(f'<text x="{x + 18}" y="44">{language.value}, {tier.value}</text>')
    return parts


def _bar(place: int, label: str, held: Sequence[Group], groups: Sequence[Group], scale: float) -> list[str]:
    y, x = _TOP + _ROW * place, float(_LEFT)
    parts = [f'<text x="{_LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(label)}</text>']
    for group in groups:
        width = held.count(group) * scale
        if width:
            parts.append(
                f'<rect x="{x:.1f}" y="{y + 3}" width="{width:.1f}" height="18" fill="{_COLOURS[group]}"/>'
            )
        x += width
    return [*parts, f'<text x="{x + 6:.1f}" y="{y + 16}">{len(held)}</text>']

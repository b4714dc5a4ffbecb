"""The entry of a hardened version in the changelog: the difference item by item."""

from __future__ import annotations

from curation.hardening import Fate
from exports.hardening.report import HardeningReport


def changes_text(report: HardeningReport, dialogues: int) -> str:
    """Return the entry without its heading."""
    counts = report.counts
    head = (
        f"Since {report.since}, hardened: of {counts.released} items {counts.kept} kept, {counts.revised} "
        f"revised, {counts.retired} retired; {counts.new} new. {_pool(report)}"
    )
    parts = [head, "\n".join(_lines(report))]
    if dialogues:
        parts.append(f"Dialogues with their controls: {dialogues} carried over, not certified again.")
    return "\n\n".join(part for part in parts if part)


def _pool(report: HardeningReport) -> str:
    return f"Certified again against {', '.join(report.pool)}, {report.repeats} answers each."


def _lines(report: HardeningReport) -> list[str]:
    changed = [one for one in report.items if one.fate is not Fate.KEPT]
    lines = [f"- {one.fate.value} `{one.item_id}`: {one.reason}" for one in changed]
    return lines + [f"- new `{one.item_id}`" for one in report.additions if one.parent_id is None]

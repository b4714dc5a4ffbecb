"""The published item (paper, appendix D.1, with our additions)."""

from __future__ import annotations

from salitrap.records.base import Record
from salitrap.records.enums import Label, Language, Tier
from salitrap.records.ids import content_hash, content_id


class Stability(Record):
    """Outcome of the repeated solver-judge runs of one certified candidate (appendix E.4)."""

    candidate_id: str
    labels: tuple[Label | None, ...]
    certified_tier: Tier
    tier: Tier
    rate: float
    rate_low: float
    rate_high: float
    unscored: int
    stable: bool
    rule: str
    stopped_early: bool = False


class CertifiedItem(Record):
    """A stable candidate as the run knows it; the build adds version and canary."""

    item_id: str
    seed_id: str
    candidate_id: str
    prompt: str
    trap_core: str
    ground_truth: str
    injected_numbers: tuple[str, ...]
    dimension_tag: str
    naturalness_score: float
    attack_tier: Tier
    language: Language
    solver_family: str
    stability_rate: float
    stability_stopped_early: bool = False
    simulated: bool


class Item(Record):
    """One row of the published dataset.

    ``date_added`` is the day of ``version_added``, unknown in datasets of earlier releases. ``parent_id`` is
    the item of an earlier version that this one revises.
    """

    item_id: str
    seed_id: str
    prompt: str
    trap_core: str
    ground_truth: str
    injected_numbers: tuple[str, ...]
    dimension_tag: str
    naturalness_score: float
    attack_tier: Tier
    language: Language
    version_added: str
    date_added: str | None = None
    parent_id: str | None = None
    solver_family: str
    stability_rate: float
    stability_stopped_early: bool = False
    simulated: bool
    canary: str
    content_hash: str


class RetiredItem(Item):
    """A row that a later version took out: which one, on which day, and why."""

    retired_in: str
    retired_on: str
    retired_reason: str


def item_content(
    seed_id: str, prompt: str, trap_core: str, ground_truth: str, numbers: tuple[str, ...]
) -> list[object]:
    """The fields that make an item the item it is."""
    return [seed_id, prompt, trap_core, ground_truth, list(numbers)]


def item_id_of(candidate_id: str, content: list[object]) -> str:
    """Hash of content and parent candidate."""
    return content_id("item", [candidate_id, content])


def item_content_hash(content: list[object]) -> str:
    """Hash of the content alone, for comparing versions."""
    return content_hash(content)

"""The columns of the published tables: one definition, from which every schema is derived."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from exports.dataset.layout import DIALOGUES, ITEMS, RETIRED, RETIRED_DIALOGUES
from exports.dataset.shapes import (
    TEXT_LIST,
    ListOf,
    Plain,
    Shape,
    Struct,
    arrow_type,
    card_entry,
    hub_feature,
    type_name,
)
from salitrap.records.base import Record

if TYPE_CHECKING:
    import pyarrow as pa


class Column(Record):
    """One column: its name, its type and what a reader should take it for."""

    name: str
    shape: Shape
    meaning: str


Columns = Sequence[Column]


def _column(name: str, shape: Shape, meaning: str) -> Column:
    return Column(name=name, shape=shape, meaning=meaning)


_RELEASE_COLUMNS = (
    _column("simulated", Plain.FLAG, "true when a simulated provider had a hand in the item"),
    _column("canary", Plain.TEXT, "marker for finding the data in a training corpus"),
    _column("content_hash", Plain.TEXT, "SHA-256 of the content alone, for comparing versions"),
)

ITEM_COLUMNS: tuple[Column, ...] = (
    _column("item_id", Plain.TEXT, "identifier of the item, a hash of content and parent candidate"),
    _column("seed_id", Plain.TEXT, "seed the item descends from; also the family that splits go by"),
    _column("prompt", Plain.TEXT, "the question exactly as a model is to receive it"),
    _column("trap_core", Plain.TEXT, "one sentence that states the impossibility"),
    _column("ground_truth", Plain.TEXT, "what a right answer has to say"),
    _column("injected_numbers", TEXT_LIST, "numerals of the prompt, verbatim, in order"),
    _column("dimension_tag", Plain.TEXT, "trap domain the item belongs to"),
    _column("naturalness_score", Plain.NUMBER, "mean of five judgements from 1 to 5"),
    _column("attack_tier", Plain.TEXT, "strong (Hard Fail, CoT Hijacked) or soft"),
    _column("language", Plain.TEXT, "language of the prompt: en or zh"),
    _column("version_added", Plain.TEXT, "dataset version in which the item first appeared"),
    _column("date_added", Plain.TEXT, "day of that version, YYYY-MM-DD; null where it is not known"),
    _column("parent_id", Plain.TEXT, "item of an earlier version that it revises; null for others"),
    _column("solver_family", Plain.TEXT, "model family that fell for the item when it was certified"),
    _column("stability_rate", Plain.NUMBER, "share of the repeats in which the certified failure came back"),
    _column("stability_stopped_early", Plain.FLAG, "repeats ended when decided, so that the rate is biased"),
    *_RELEASE_COLUMNS,
)

_RETIREMENT = (
    _column("retired_in", Plain.TEXT, "dataset version that took the item out"),
    _column("retired_on", Plain.TEXT, "day of that version, YYYY-MM-DD"),
    _column("retired_reason", Plain.TEXT, "why it was taken out"),
)
RETIRED_COLUMNS: tuple[Column, ...] = (*ITEM_COLUMNS, *_RETIREMENT)

_TURN = Struct(
    parts=(
        ("role", Plain.TEXT),
        ("content", Plain.TEXT),
        ("when", Plain.TEXT),
        ("move", Plain.TEXT),
        ("facts_added", TEXT_LIST),
        ("facts_removed", TEXT_LIST),
        ("numbers", TEXT_LIST),
        ("feasible", Plain.FLAG),
    )
)
_FACT = Struct(parts=(("key", Plain.TEXT), ("text", Plain.TEXT)))

DIALOGUE_COLUMNS: tuple[Column, ...] = (
    _column("dialogue_id", Plain.TEXT, "identifier of the dialogue, a hash of its content"),
    _column("seed_id", Plain.TEXT, "seed it descends from; also the family that splits go by"),
    _column("source_id", Plain.TEXT, "item it was made from, published or not"),
    _column("pattern", Plain.TEXT, "how the turns lead a model past the condition"),
    _column("control", Plain.TEXT, "none for the trap dialogue itself, else what the control is for"),
    _column("twin_of", Plain.TEXT, "trap dialogue that a control belongs to; empty for a trap dialogue"),
    _column("replay", Plain.TEXT, "live, gated or pinned: how it is to be played"),
    _column("t_star", Plain.WHOLE, "first user turn, from 1, at which the task is impossible; null: never"),
    _column("turns", ListOf(inner=_TURN), "the messages in order, with gate, facts, figures, feasibility"),
    _column("facts", ListOf(inner=_FACT), "facts that turns state, by key"),
    _column("infeasible_when", ListOf(inner=TEXT_LIST), "sets of facts that make the task impossible"),
    _column("trap_core", Plain.TEXT, "one sentence that states the impossibility"),
    _column("ground_truth", Plain.TEXT, "what a right answer has to say"),
    _column("injected_numbers", TEXT_LIST, "numerals of all user turns, verbatim, in order"),
    _column("dimension_tag", Plain.TEXT, "trap domain it belongs to"),
    _column("naturalness_score", Plain.NUMBER, "mean of the judgements from 1 to 5; null for controls"),
    _column("attack_tier", Plain.TEXT, "worst failure it brought about: strong or soft; none for controls"),
    _column("language", Plain.TEXT, "language of the turns: en or zh"),
    _column("version_added", Plain.TEXT, "dataset version in which it first appeared"),
    _column("date_added", Plain.TEXT, "day of that version, YYYY-MM-DD; null where it is not known"),
    _column("solver_family", Plain.TEXT, "model family that was not robust to it; empty for controls"),
    _column("stability_rate", Plain.NUMBER, "share of the repeats without robustness; null for controls"),
    *_RELEASE_COLUMNS,
)


RETIRED_DIALOGUE_COLUMNS: tuple[Column, ...] = (*DIALOGUE_COLUMNS, *_RETIREMENT)

COLUMNS_OF: Mapping[str, Columns] = {
    ITEMS: ITEM_COLUMNS,
    DIALOGUES: DIALOGUE_COLUMNS,
    RETIRED: RETIRED_COLUMNS,
    RETIRED_DIALOGUES: RETIRED_DIALOGUE_COLUMNS,
}
"""Columns by configuration."""

NEWER = (frozenset({"date_added", "parent_id"}), frozenset({"stability_stopped_early"}))
"""Columns that datasets of earlier releases lack, newest first: what lacks one set lacks those before it."""

ID_OF: Mapping[str, str] = {
    ITEMS: "item_id",
    DIALOGUES: "dialogue_id",
    RETIRED: "item_id",
    RETIRED_DIALOGUES: "dialogue_id",
}
"""The column that tells rows apart, by configuration."""


def column_names(columns: Columns = ITEM_COLUMNS) -> tuple[str, ...]:
    """Names of the columns, in published order."""
    return tuple(column.name for column in columns)


def column_types(columns: Columns = ITEM_COLUMNS) -> dict[str, str]:
    """Return the type of each column as the manifest spells it, by name."""
    return {column.name: type_name(column.shape) for column in columns}


def card_features(columns: Columns = ITEM_COLUMNS) -> list[dict[str, object]]:
    """Return the ``features`` list of a card's ``dataset_info`` block."""
    return [{"name": column.name, **card_entry(column.shape)} for column in columns]


def hub_metadata(columns: Columns = ITEM_COLUMNS) -> dict[str, str]:
    """Return the key-value metadata by which ``datasets`` finds the features in a parquet file."""
    features = {column.name: hub_feature(column.shape) for column in columns}
    return {"huggingface": json.dumps({"info": {"features": features}})}


def arrow_schema(columns: Columns = ITEM_COLUMNS) -> pa.Schema:
    """Return the arrow schema of the table, with the metadata of ``hub_metadata``."""
    import pyarrow as pa

    fields = [pa.field(column.name, arrow_type(column.shape)) for column in columns]
    return pa.schema(fields, metadata=hub_metadata(columns))

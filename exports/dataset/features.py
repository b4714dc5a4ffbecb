"""The columns of the published table: one definition, from which every schema is derived."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from salitrap.records.base import Record

if TYPE_CHECKING:
    import pyarrow as pa


class ColumnKind(StrEnum):
    """Type of a column, spelt as the manifest spells it."""

    TEXT = "string"
    TEXT_LIST = "list<string>"
    NUMBER = "float64"
    FLAG = "bool"


class Column(Record):
    """One column: its name, its type and what a reader should take it for."""

    name: str
    kind: ColumnKind
    meaning: str


def _column(name: str, kind: ColumnKind, meaning: str) -> Column:
    return Column(name=name, kind=kind, meaning=meaning)


ITEM_COLUMNS: tuple[Column, ...] = (
    _column("item_id", ColumnKind.TEXT, "identifier of the item, a hash of content and parent candidate"),
    _column("seed_id", ColumnKind.TEXT, "seed the item descends from; also the family that splits go by"),
    _column("prompt", ColumnKind.TEXT, "the question exactly as a model is to receive it"),
    _column("trap_core", ColumnKind.TEXT, "one sentence that states the impossibility"),
    _column("ground_truth", ColumnKind.TEXT, "what a right answer has to say"),
    _column("injected_numbers", ColumnKind.TEXT_LIST, "numerals of the prompt, verbatim, in order"),
    _column("dimension_tag", ColumnKind.TEXT, "trap domain the item belongs to"),
    _column("naturalness_score", ColumnKind.NUMBER, "mean of five judgements from 1 to 5"),
    _column("attack_tier", ColumnKind.TEXT, "strong (Hard Fail, CoT Hijacked) or soft"),
    _column("language", ColumnKind.TEXT, "language of the prompt: en or zh"),
    _column("version_added", ColumnKind.TEXT, "dataset version in which the item first appeared"),
    _column("solver_family", ColumnKind.TEXT, "model family that fell for the item when it was certified"),
    _column(
        "stability_rate", ColumnKind.NUMBER, "share of the repeats in which the certified failure came back"
    ),
    _column("simulated", ColumnKind.FLAG, "true when a simulated provider had a hand in the item"),
    _column("canary", ColumnKind.TEXT, "marker for finding the data in a training corpus"),
    _column("content_hash", ColumnKind.TEXT, "SHA-256 of the content alone, for comparing versions"),
)


def column_names() -> tuple[str, ...]:
    """Names of the item columns, in published order."""
    return tuple(column.name for column in ITEM_COLUMNS)


def card_features() -> list[dict[str, str]]:
    """Return the ``features`` list of a card's ``dataset_info`` block."""
    return [{"name": column.name, _card_key(column.kind): _dtype(column.kind)} for column in ITEM_COLUMNS]


def hub_metadata() -> dict[str, str]:
    """Return the key-value metadata by which ``datasets`` finds the features in a parquet file.

    Lists are spelt ``Sequence``: releases before and after 4.0 read that name, while the newer
    ``List`` is unknown to those before.
    """
    features = {column.name: _hub_feature(column.kind) for column in ITEM_COLUMNS}
    return {"huggingface": json.dumps({"info": {"features": features}})}


def arrow_schema() -> pa.Schema:
    """Return the arrow schema of the table, with the metadata of ``hub_metadata``."""
    import pyarrow as pa

    types = {
        ColumnKind.TEXT: pa.string(),
        ColumnKind.TEXT_LIST: pa.list_(pa.string()),
        ColumnKind.NUMBER: pa.float64(),
        ColumnKind.FLAG: pa.bool_(),
    }
    fields = [pa.field(column.name, types[column.kind]) for column in ITEM_COLUMNS]
    return pa.schema(fields, metadata=hub_metadata())


def _dtype(kind: ColumnKind) -> str:
    return ColumnKind.TEXT.value if kind is ColumnKind.TEXT_LIST else kind.value


def _card_key(kind: ColumnKind) -> str:
    return "list" if kind is ColumnKind.TEXT_LIST else "dtype"


def _hub_feature(kind: ColumnKind) -> dict[str, object]:
    value: dict[str, object] = {"dtype": _dtype(kind), "_type": "Value"}
    return {"feature": value, "_type": "Sequence"} if kind is ColumnKind.TEXT_LIST else value

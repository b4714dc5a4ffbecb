from __future__ import annotations

import types
from enum import StrEnum
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.features import (
    DIALOGUE_COLUMNS,
    ITEM_COLUMNS,
    arrow_schema,
    card_features,
    column_names,
    hub_metadata,
)
from exports.dataset.shapes import ListOf, Plain, Shape, Struct, type_name
from salitrap.records.item import Item

DOCS = Path(__file__).parents[2] / "docs" / "dataset.md"
CONFIGS = {"items": (ITEM_COLUMNS, Item), "dialogues": (DIALOGUE_COLUMNS, PublishedDialogue)}


def shape_of(annotation: Any) -> Shape:
    """The shape of a field by its type."""
    arguments = [one for one in get_args(annotation) if one is not type(None)]
    if get_origin(annotation) in (Union, types.UnionType):
        return shape_of(arguments[0])
    if get_origin(annotation) is tuple:
        return ListOf(inner=shape_of(arguments[0]))
    if issubclass(annotation, BaseModel):
        parts = ((name, shape_of(field.annotation)) for name, field in annotation.model_fields.items())
        return Struct(parts=tuple(parts))
    if issubclass(annotation, StrEnum):
        return Plain.TEXT
    return {str: Plain.TEXT, float: Plain.NUMBER, bool: Plain.FLAG, int: Plain.WHOLE}[annotation]


@pytest.mark.parametrize("config", CONFIGS)
def test_columns_are_the_fields_of_the_record_in_order_and_type(config: str) -> None:
    columns, record = CONFIGS[config]
    fields = {name: shape_of(field.annotation) for name, field in record.model_fields.items()}
    assert list(fields.items()) == [(column.name, column.shape) for column in columns]


@pytest.mark.parametrize("config", CONFIGS)
def test_card_and_parquet_describe_the_features_that_the_loader_knows(config: str) -> None:
    from datasets import Features

    columns, _ = CONFIGS[config]
    expected = Features.from_arrow_schema(arrow_schema(columns).remove_metadata())
    assert Features._from_yaml_list(card_features(columns)) == expected
    assert expected._to_yaml_list() == card_features(columns)
    assert Features.from_arrow_schema(arrow_schema(columns)) == expected
    assert expected.arrow_schema.remove_metadata() == arrow_schema(columns).remove_metadata()


@pytest.mark.parametrize("config", CONFIGS)
def test_parquet_metadata_uses_only_feature_names_that_old_loaders_know(config: str) -> None:
    assert '"List"' not in hub_metadata(CONFIGS[config][0])["huggingface"]


@pytest.mark.parametrize("column", ITEM_COLUMNS, ids=column_names())
def test_the_guide_describes_every_column_with_its_type(column) -> None:
    section = DOCS.read_text(encoding="utf-8").split("## Columns")[1].split("## Splits")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    cells = {row.split("|")[1].strip(" `"): row.split("|")[2].strip(" `") for row in rows}
    assert cells[column.name] == type_name(column.shape)
    assert len(cells) == len(ITEM_COLUMNS)

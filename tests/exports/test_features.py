from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import get_args, get_origin

import pytest

from exports.dataset.features import (
    ITEM_COLUMNS,
    ColumnKind,
    arrow_schema,
    card_features,
    column_names,
    hub_metadata,
)
from salitrap.records.item import Item

DOCS = Path(__file__).parents[2] / "docs" / "dataset.md"


def kind_of(annotation: type) -> ColumnKind:
    if get_origin(annotation) is tuple:
        assert get_args(annotation) == (str, ...)
        return ColumnKind.TEXT_LIST
    if issubclass(annotation, StrEnum):
        return ColumnKind.TEXT
    kinds: Mapping[type, ColumnKind] = {str: ColumnKind.TEXT, float: ColumnKind.NUMBER, bool: ColumnKind.FLAG}
    return kinds[annotation]


def test_columns_are_the_fields_of_the_record_in_order_and_type() -> None:
    fields = {name: kind_of(field.annotation) for name, field in Item.model_fields.items()}
    assert list(fields.items()) == [(column.name, column.kind) for column in ITEM_COLUMNS]


def test_card_and_parquet_describe_the_features_that_the_loader_knows() -> None:
    from datasets import Features, List, Value

    def feature(kind: ColumnKind) -> object:
        return List(Value("string")) if kind is ColumnKind.TEXT_LIST else Value(kind.value)

    expected = Features({column.name: feature(column.kind) for column in ITEM_COLUMNS})
    assert Features._from_yaml_list(card_features()) == expected
    assert expected._to_yaml_list() == card_features()
    assert Features.from_arrow_schema(arrow_schema()) == expected
    assert expected.arrow_schema.remove_metadata() == arrow_schema().remove_metadata()


def test_parquet_metadata_uses_only_feature_names_that_old_loaders_know() -> None:
    assert '"List"' not in hub_metadata()["huggingface"]


@pytest.mark.parametrize("column", ITEM_COLUMNS, ids=column_names())
def test_the_guide_describes_every_column_with_its_type(column) -> None:
    section = DOCS.read_text(encoding="utf-8").split("## Columns")[1].split("## Splits")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    cells = {row.split("|")[1].strip(" `"): row.split("|")[2].strip(" `") for row in rows}
    assert cells[column.name] == column.kind.value
    assert len(cells) == len(ITEM_COLUMNS)

"""Types of columns, nested ones included, and how arrow, the card and the Hub's loader spell them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from salitrap.records.base import Record

if TYPE_CHECKING:
    import pyarrow as pa


class Plain(StrEnum):
    """A single value."""

    TEXT = "string"
    NUMBER = "float64"
    WHOLE = "int64"
    FLAG = "bool"


class Struct(Record):
    """Named parts, in order."""

    parts: tuple[tuple[str, Shape], ...]


class ListOf(Record):
    """Any number of one shape."""

    inner: Shape


Shape = Plain | ListOf | Struct
Struct.model_rebuild()
ListOf.model_rebuild()

TEXT_LIST = ListOf(inner=Plain.TEXT)


def type_name(shape: Shape) -> str:
    """Return the type as the manifest spells it, such as ``list<struct<key: string, text: string>>``."""
    if isinstance(shape, Plain):
        return shape.value
    if isinstance(shape, ListOf):
        return f"list<{type_name(shape.inner)}>"
    return f"struct<{', '.join(f'{name}: {type_name(part)}' for name, part in shape.parts)}>"


def card_entry(shape: Shape) -> dict[str, object]:
    """Return the keys that describe a shape in the ``features`` list of a card."""
    if isinstance(shape, Plain):
        return {"dtype": shape.value}
    if isinstance(shape, Struct):
        return {"struct": _card_parts(shape)}
    inner = shape.inner
    if isinstance(inner, Plain):
        return {"list": inner.value}
    return {"list": _card_parts(inner) if isinstance(inner, Struct) else card_entry(inner)}


def hub_feature(shape: Shape) -> object:
    """Return the shape as the loader's features spell it in the metadata of a parquet file.

    Lists are spelt ``Sequence``: releases before and after 4.0 read that name, while the newer ``List`` is
    unknown to those before. A ``Sequence`` of parts would be read as parts of sequences, so a list of those
    is written as a list of one, which all releases take as it is.
    """
    if isinstance(shape, Plain):
        return {"dtype": shape.value, "_type": "Value"}
    if isinstance(shape, Struct):
        return {name: hub_feature(part) for name, part in shape.parts}
    inner = hub_feature(shape.inner)
    return [inner] if isinstance(shape.inner, Struct) else {"feature": inner, "_type": "Sequence"}


def arrow_type(shape: Shape) -> pa.DataType:
    """Return the arrow type of a shape."""
    import pyarrow as pa

    if isinstance(shape, ListOf):
        return pa.list_(arrow_type(shape.inner))
    if isinstance(shape, Struct):
        return pa.struct([pa.field(name, arrow_type(part)) for name, part in shape.parts])
    plain = {
        Plain.TEXT: pa.string(),
        Plain.NUMBER: pa.float64(),
        Plain.WHOLE: pa.int64(),
        Plain.FLAG: pa.bool_(),
    }
    return plain[shape]


def _card_parts(shape: Struct) -> list[dict[str, object]]:
    return [{"name": name, **card_entry(part)} for name, part in shape.parts]
